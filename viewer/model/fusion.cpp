#include "model/fusion.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/format.h"
#include "runs/number_text.h"

namespace workbook::viewer {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : between) + each;
  return text;
}

std::string bytes_text(double bytes) { return format_bytes(std::llround(bytes)); }

/// "t3 [b,h] f32, 262 kB".
std::string tensor_words(const runs::FusionNode& node) {
  const std::string shape = node.indices.empty() ? "" : " [" + joined(node.indices, ",") + "]";
  return node.name + shape + " " + node.dtype + ", " + format_bytes(node.bytes);
}

std::string launch_name(int launch) { return "launch " + std::to_string(launch + 1); }

/// How a launch takes a tensor apart: "b by the grid in 2, h by the loop in 64, tile 8 x 64".
std::string cut_words(const runs::FusionNode& node, const runs::FusionLaunch& launch) {
  std::vector<std::string> parts, tile;
  for (const std::string& index : node.indices)
    for (const runs::FusionCut& cut : launch.cuts) {
      if (cut.index != index) continue;
      if (cut.grid > 1) parts.push_back(index + " by the grid in " + format_count(cut.grid));
      if (cut.loop > 1) parts.push_back(index + " by the loop in " + format_count(cut.loop));
      tile.push_back(format_count(cut.tile));
    }
  if (parts.empty()) return "whole in every block";
  return "cut " + joined(parts, ", ") + ": tiles of " + joined(tile, " x ");
}

std::string moved_words(const runs::FusionGraph& graph, const runs::FusionLaunch& launch, bool written) {
  std::vector<std::string> parts;
  for (const runs::TensorTraffic& each : launch.traffic)
    if (const std::int64_t bytes = written ? each.bytes_written : each.bytes_read; bytes > 0)
      parts.push_back(graph.nodes[slot(each.tensor)].name + " " + format_bytes(bytes));
  return joined(parts, ", ");
}

FusionTable table_of_graphs(const runs::FusionRecord& record) {
  FusionTable table;
  table.title = "Equal graphs";
  table.note =
      "best first  ·  as they would cost operation by operation, at " + runs::sizes_text(record.sizes);
  table.columns = {
      {"Formula", 5, false, true}, {"Operations", 1}, {"Flops", 1}, {"Bytes", 1}, {"Passes", 0.8f, true}};
  std::vector<int> graphs = record.equal;
  if (graphs.empty()) graphs.push_back(0);
  for (const int number : graphs) {
    const runs::FusionGraph& graph = record.graphs[slot(number)];
    const auto operations = std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
      return node.op != "input" && node.op != "constant";
    });
    table.rows.push_back({graph.formula,
                          number == 0 ? "as written" : "",
                          {format_count(operations), format_number(graph.flops), bytes_text(graph.bytes),
                           format_count(graph.passes)}});
  }
  return table;
}

}  // namespace

std::string program_of_puzzle(int puzzle) {
  static const std::map<int, std::string> programs = {
      {22, "layernorm_linear"}, {36, "gelu_chain"}, {37, "softmax"},          {41, "rmsnorm_linear"},
      {42, "lora_linear"},      {43, "gated_mlp"},  {44, "qknorm_attention"}, {45, "mla_decode"}};
  const auto found = programs.find(puzzle);
  return found == programs.end() ? "" : found->second;
}

FusionTable fusion_table(const runs::FusionRecord& record) {
  if (record.plans.empty()) return table_of_graphs(record);
  FusionTable table;
  table.title = "Plans";
  table.note = "predicted at " + runs::sizes_text(record.sizes) + " on an " + record.gpu;
  if (!record.measured_on.empty()) table.note += "  ·  measured there on " + record.measured_on + ", cold";
  int shapes = 0;
  for (const runs::FusionPlan& plan : record.plans)
    if (plan.built) shapes = std::max(shapes, plan.built->shapes);
  if (shapes > 0) table.note += "  ·  simulated: " + plural(shapes, "small shape") + ", added up";
  if (const auto shown = static_cast<std::int64_t>(record.plans.size()); shown < record.all_plans)
    table.note = "the cheapest of " + format_count(record.all_plans) + "  ·  " + table.note;
  table.columns = {{"Formula", 3.6f, false, true},
                   {"Kernels", 2.2f, true, true},
                   {"Launches", 0.9f},
                   {"Bytes", 1},
                   {"Predicted", 1.1f},
                   {"Simulated", 1.1f},
                   {"Measured", 1.1f}};
  for (std::size_t i = 0; i < record.plans.size(); ++i) {
    const runs::FusionPlan& plan = record.plans[i];
    FusionRow row;
    row.name = record.graphs[slot(plan.graph)].formula;
    if (static_cast<int>(i) == record.best) row.tag = "best";
    if (static_cast<int>(i) == record.unfused) row.tag += row.tag.empty() ? "unfused" : ", unfused";
    row.refused = plan.built && !plan.built->right;
    std::vector<std::string> kernels;
    for (const runs::FusionLaunch& launch : plan.launches) {
      std::vector<std::string> names;
      for (const int node : launch.nodes)
        names.push_back(record.graphs[slot(plan.graph)].nodes[slot(node)].name);
      kernels.push_back(joined(names, " "));
    }
    row.cells = {joined(kernels, " | "),
                 format_count(static_cast<std::int64_t>(plan.launches.size())),
                 bytes_text(plan.bytes),
                 format_us(plan.predicted_us),
                 !plan.built   ? "not built"
                 : row.refused ? "refused"
                               : format_us(plan.built->simulated_us),
                 plan.measured_us          ? format_us(*plan.measured_us)
                 : plan.unmeasured.empty() ? "not measured"
                                           : "failed"};
    table.rows.push_back(std::move(row));
  }
  table.first = std::max(0, record.best);
  return table;
}

const runs::FusionPlan* fusion_plan(const runs::FusionRecord& record, int row) {
  return record.plans.empty() ? nullptr : &record.plans[slot(row)];
}

const runs::FusionGraph& fusion_graph(const runs::FusionRecord& record, int row) {
  if (const runs::FusionPlan* plan = fusion_plan(record, row)) return record.graphs[slot(plan->graph)];
  return record.graphs[record.equal.empty() ? 0 : slot(record.equal[slot(row)])];
}

FusionWords fusion_words(const runs::FusionRecord& record, int row) {
  const runs::FusionPlan* plan = fusion_plan(record, row);
  if (plan == nullptr)
    return {plural(static_cast<std::int64_t>(record.equal.size()), "equal graph") + ", no plan",
            capitalised(record.note)};
  const runs::FusionPlan* unfused = record.unfused >= 0 ? &record.plans[slot(record.unfused)] : nullptr;
  std::string launches = plural(static_cast<std::int64_t>(plan->launches.size()), "launch"),
              bytes = bytes_text(plan->bytes), time = format_us(plan->predicted_us);
  if (unfused != nullptr && unfused != plan) {
    const auto instead = [](std::string& now, const std::string& before) {
      if (!now.starts_with(before)) now += " instead of " + before;
    };
    instead(launches, std::to_string(unfused->launches.size()));
    instead(bytes, bytes_text(unfused->bytes));
    instead(time, format_us(unfused->predicted_us));
  }
  FusionWords words{launches + ", " + time, bytes + " through DRAM, predicted for an " + record.gpu};
  if (plan == unfused) words.detail = "The program as it stands, launch by launch: " + words.detail;
  if (plan->built && !plan->built->right) words.detail = "Refused: " + plan->built->trouble;
  if (plan->measured_us)
    words.detail += "; measured " + format_us(*plan->measured_us) + " on " + record.measured_on;
  else if (!plan->unmeasured.empty())
    words.detail += "; not timed on " + record.measured_on + ": " + plan->unmeasured;
  for (const runs::FusionCrossing& each : plan->crossings)
    if (&each == &plan->crossings.front() && (!plan->built || plan->built->right))
      words.detail += ". " + crossing_words(*plan, each);
  return words;
}

std::string crossing_words(const runs::FusionPlan& plan, const runs::FusionCrossing& crossing) {
  const std::string both = "Launches " + std::to_string(crossing.from + 1) +
                           (crossing.to == crossing.from + 1 ? " and " : " to ") +
                           std::to_string(crossing.to + 1) + " as one: ";
  if (crossing.merged_us <= 0) return both + "no cut that was tried keeps the tiles on the chip";
  const std::string times =
      format_us(crossing.merged_us) + " instead of " + format_us(plan.predicted_us) + " for the plan";
  return both + times + (crossing.merged_us < plan.predicted_us ? ", and that is a plan of its own" : "");
}

FusionNote note_of(const runs::FusionRecord& record, const runs::FusionGraph& graph,
                   const runs::FusionPlan* plan, const FusionBox& box) {
  const runs::FusionNode& node = graph.nodes[slot(box.node)];
  FusionNote note{box.tensor ? tensor_words(node) : node.name + " = " + node.text, {}};
  if (!box.tensor) note.lines.push_back("makes " + tensor_words(node));
  for (const std::string& index : node.indices)
    for (const auto& [name, size] : record.sizes)
      if (name == index && note.lines.size() < 4) note.lines.push_back(name + ": " + format_count(size));
  if (!node.over.empty() && !box.tensor) {
    std::string where;
    for (const runs::FusionCut& cut : plan != nullptr && box.launch >= 0
                                          ? plan->launches[slot(box.launch)].cuts
                                          : std::vector<runs::FusionCut>{})
      if (cut.index == node.over)
        where = cut.loop > 1 ? ": added up over the loop's " + format_count(cut.loop) + " turns"
                             : ": finished inside a block";
    note.lines.push_back("sums over " + node.over + where);
  }
  if (plan == nullptr || !box.tensor) return note;
  for (std::size_t k = 0; k < plan->launches.size(); ++k)
    for (const runs::TensorTraffic& each : plan->launches[k].traffic) {
      if (each.tensor != box.node) continue;
      const std::string name = launch_name(static_cast<int>(k));
      if (each.bytes_written > 0)
        note.lines.push_back("written by " + name + ": " + format_bytes(each.bytes_written));
      if (each.bytes_read > 0)
        note.lines.push_back("read by " + name + ": " + format_bytes(each.bytes_read) + ", " +
                             cut_words(node, plan->launches[k]));
    }
  for (const runs::FusionCrossing& each : plan->crossings)
    if (each.node == box.node) note.lines.push_back(crossing_words(*plan, each));
  return note;
}

FusionNote note_of(const runs::FusionGraph& graph, const runs::FusionPlan* plan, const FusionPicture& picture,
                   const FusionEdge& edge) {
  const runs::FusionNode& node = graph.nodes[slot(edge.node)];
  FusionNote note{tensor_words(node), {}};
  const FusionBox &from = picture.boxes[slot(edge.from)], &to = picture.boxes[slot(edge.to)];
  if (plan == nullptr) {
    note.lines.push_back(from.tensor ? "read from DRAM"
                                     : "as many where it is written to DRAM and read again");
    return note;
  }
  if (!edge.dram) {
    note.lines.push_back("stays on the chip, in " + launch_name(from.launch));
    note.lines.push_back(cut_words(node, plan->launches[slot(from.launch)]));
    return note;
  }
  const int launch = to.launch >= 0 ? to.launch : from.launch;
  note.lines.push_back((to.launch >= 0 ? "read by " : "written by ") + launch_name(launch));
  note.lines.push_back(cut_words(node, plan->launches[slot(launch)]));
  for (const runs::FusionCrossing& each : plan->crossings)
    if (each.node == edge.node && (each.from == launch || each.to == launch))
      note.lines.push_back(crossing_words(*plan, each));
  return note;
}

FusionNote note_of(const runs::FusionGraph& graph, const runs::FusionPlan& plan, int number) {
  const runs::FusionLaunch& launch = plan.launches[slot(number)];
  FusionNote note{capitalised(launch_name(number)) + ", path " + launch.path, {}};
  note.lines.push_back(plural(launch.blocks, "block") + " of " + plural(launch.warps, "warp"));
  std::vector<std::string> whole;
  for (const runs::FusionCut& cut : launch.cuts) {
    if (cut.grid > 1)
      note.lines.push_back("grid cuts " + cut.index + " in " + format_count(cut.grid) + " of " +
                           format_count(cut.tile));
    if (cut.loop > 1)
      note.lines.push_back("loop over " + cut.index + ": " + format_count(cut.loop) + " turns of " +
                           format_count(cut.tile));
    if (cut.grid == 1 && cut.loop == 1) whole.push_back(cut.index);
  }
  if (!whole.empty()) note.lines.push_back("whole in a block: " + joined(whole, ", "));
  if (launch.shared_bytes > 0)
    note.lines.push_back(format_bytes(launch.shared_bytes) + " of shared memory a block");
  note.lines.push_back("reads " + moved_words(graph, launch, false));
  note.lines.push_back("writes " + moved_words(graph, launch, true));
  note.lines.push_back("predicted " + format_us(launch.predicted_us) + ", bound by " +
                       runs::word_of(launch.bound));
  for (const runs::FusionCrossing& each : plan.crossings)
    if (each.from == number || each.to == number)
      if (const std::string words = crossing_words(plan, each);
          std::find(note.lines.begin(), note.lines.end(), words) == note.lines.end())
        note.lines.push_back(words);
  return note;
}

std::string reason_words(const std::string& reason) {
  if (reason == "order") return "the same graph is found in its one order";
  if (reason == "shape") return "no operand and not the output has such indices";
  if (reason == "loose") return "too few operations are left to join all of it";
  if (reason == "expression") return "no spelling of the program has this part";
  if (reason == "duplicate") return "a tensor with these values is there already";
  return "";
}

}  // namespace workbook::viewer
