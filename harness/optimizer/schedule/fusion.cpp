#include "optimizer/schedule/fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "optimizer/language/text.h"
#include "optimizer/plan/places.h"

namespace workbook::opt {
namespace {

constexpr const char* kOps[] = {"input", "add", "sub", "mul", "div", "exp", "fn", "max", "sum", "matmul"};

std::string index_name(const Graph& graph, int index) { return graph.indices[slot(index)].name; }

runs::FusionNode node_record(const Program& program, const Graph& graph, int number, IndexSet shape) {
  const Plan plan{graph, {}};
  const Node& node = graph.nodes[slot(number)];
  const auto inputs = static_cast<int>(graph.inputs.size());
  runs::FusionNode made;
  made.op = is_constant(plan, number) ? "constant" : kOps[static_cast<int>(node.op)];
  made.name = number < inputs           ? graph.inputs[slot(number)].name
              : graph.is_output(number) ? program.output(graph.output_number(number)).name
                                        : fmt::format("t{}", number - inputs + 1);
  made.text = number < inputs ? made.name : node_text(graph, number);
  if (node.over >= 0) made.over = index_name(graph, node.over);
  if (node.op != Op::input) {
    made.operands.push_back(node.a);
    if (node.b >= 0 && node.b != node.a) made.operands.push_back(node.b);
  }
  for (const std::uint8_t index : dims_of(program, plan, number))
    made.indices.push_back(index_name(graph, index));
  const Storage storage = storage_of(program, plan, number);
  made.dtype = name_of(storage);
  made.bytes = static_cast<std::int64_t>(size_of(shape, real_extents(graph))) * item_bytes(storage);
  return made;
}

runs::FusionGraph graph_record(const Program& program, const Graph& graph) {
  const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
  const Work work = work_of(program, graph);
  runs::FusionGraph made;
  made.formula = formula(graph);
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i)
    made.nodes.push_back(node_record(program, graph, i, shapes[slot(i)]));
  made.output = graph.output();
  made.flops = work.product_flops + work.other_flops;
  made.bytes = work.bytes;
  made.passes = work.passes;
  return made;
}

/// The number of a graph in the record, added where it is not there.
class GraphList {
 public:
  GraphList(const Program& program, std::vector<runs::FusionGraph>& records)
      : program_(program), records_(records) {}

  int of(const Graph& graph) {
    const runs::FusionGraph made = graph_record(program_, graph);
    for (std::size_t i = 0; i < records_.size(); ++i)
      if (same(records_[i], made)) return static_cast<int>(i);
    records_.push_back(made);
    return static_cast<int>(records_.size()) - 1;
  }

 private:
  static bool same(const runs::FusionGraph& a, const runs::FusionGraph& b) {
    return a.output == b.output && std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                                              [](const runs::FusionNode& x, const runs::FusionNode& y) {
                                                return x.text == y.text && x.name == y.name &&
                                                       x.operands == y.operands;
                                              });
  }
  const Program& program_;
  std::vector<runs::FusionGraph>& records_;
};

std::vector<std::uint64_t> parts_of(const Plan& plan) {
  std::vector<std::uint64_t> parts;
  for (const Kernel& kernel : plan.kernels) parts.push_back(kernel.nodes);
  return parts;
}

/// What plans take of which some launches are made one.
class Merger {
 public:
  Merger(const Program& program, const Schedule& schedule, const sim::GpuSpec& gpu, ScheduleStore* store)
      : program_(program), schedule_(schedule), gpu_(gpu), store_(store) {}

  /// Of the same plan with the launches from `from` to `to` as one; 0: there is none. `graph`: its number.
  double us(const Plan& plan, int graph, int from, int to) {
    std::vector<std::uint64_t> wanted = parts_of(plan);
    for (int k = from + 1; k <= to; ++k) wanted[slot(from)] |= wanted[slot(k)];
    wanted.erase(wanted.begin() + from + 1, wanted.begin() + to + 1);
    const auto [known, fresh] = known_.try_emplace({graph, wanted}, 0.0);
    if (fresh) known->second = found(plan.graph, wanted);
    return known->second;
  }

 private:
  double found(const Graph& graph, const std::vector<std::uint64_t>& wanted) const {
    for (const Scheduled& other : schedule_.plans)
      if (parts_of(other.plan) == wanted && other.plan.graph == graph) return other.price.us;
    const std::optional<Scheduled> merged = best_cuts(program_, graph, wanted, gpu_, store_);
    return merged ? merged->price.us : 0.0;
  }

  const Program& program_;
  const Schedule& schedule_;
  const sim::GpuSpec& gpu_;
  ScheduleStore* store_;
  std::map<std::pair<int, std::vector<std::uint64_t>>, double> known_;
};

runs::FusionLaunch launch_record(const Plan& plan, const Kernel& kernel,
                                 const runs::LaunchRecord& predicted) {
  const Extents extents = real_extents(plan.graph);
  runs::FusionLaunch made;
  made.path = name_of(kernel.path);
  made.nodes = node_list(kernel.nodes);
  for (int i = 0; i < static_cast<int>(plan.graph.indices.size()); ++i) {
    const Cut& cut = kernel.cuts[slot(i)];
    made.cuts.push_back(
        {index_name(plan.graph, i), cut.grid, cut.loop, tile_of(kernel, i, extents[slot(i)])});
  }
  made.warps = kernel.warps;
  made.shared_bytes = predicted.shared_bytes;
  if (predicted.counters) {
    made.blocks = predicted.counters->blocks_total;
    made.traffic = predicted.counters->traffic;
  }
  if (predicted.modelled) {
    made.predicted_us = predicted.modelled->total_us;
    made.bound = predicted.modelled->bound;
    made.launch_us = predicted.modelled->launch_us;
    made.dram_us = predicted.modelled->dram_us;
  }
  return made;
}

runs::FusionPlan plan_record(const Program& program, const Scheduled& scheduled, int graph, Merger& merger) {
  const Plan& plan = scheduled.plan;
  const std::vector<Launch> launches = launches_of(program, plan);
  runs::FusionPlan made;
  made.graph = graph;
  made.predicted_us = scheduled.price.us;
  made.bytes = scheduled.price.bytes;
  for (std::size_t k = 0; k < launches.size(); ++k) {
    made.launches.push_back(launch_record(plan, plan.kernels[k], scheduled.price.launches[k]));
    for (const int node : launches[k].writes)
      for (std::size_t later = k + 1; later < launches.size(); ++later)
        if (listed(launches[later].reads, node))
          made.crossings.push_back({node, static_cast<int>(k), static_cast<int>(later),
                                    merger.us(plan, graph, static_cast<int>(k), static_cast<int>(later))});
  }
  return made;
}

}  // namespace

runs::FusionRecord fusion_record(const Program& program, const Search& search,
                                 const std::vector<Graph>& usable) {
  runs::FusionRecord record;
  record.program = program.name;
  record.title = program.title;
  record.formula = fmt::format("{} = {}", program.output_name, formula(program.graph));
  for (const Index& index : program.graph.indices) record.sizes.emplace_back(index.name, index.real);
  GraphList graphs(program, record.graphs);
  graphs.of(expanded(program, program.graph));
  for (const Graph& graph : usable)
    if (record.equal.size() < kRecordedGraphs) record.equal.push_back(graphs.of(expanded(program, graph)));
  record.reasons.assign(std::begin(kPruneNames), std::end(kPruneNames));
  for (const Depth& depth : search.depths)
    record.depths.push_back({depth.nodes,
                             static_cast<std::int64_t>(depth.counts.states),
                             static_cast<std::int64_t>(depth.counts.tried),
                             static_cast<std::int64_t>(depth.found.size()),
                             {depth.counts.cut.begin(), depth.counts.cut.end()}});
  if (!search.tree.empty()) {
    std::uint64_t one_in = 1;
    record.tree = tree_states(program, search, kRecordedStates, one_in);
    record.tree_one_in = static_cast<std::int64_t>(one_in);
  }
  return record;
}

void add_plans(runs::FusionRecord& record, const Program& program, const Schedule& schedule,
               const sim::GpuSpec& gpu, ScheduleStore* store) {
  const std::optional<Scheduled>& unfused = schedule.unfused;
  GraphList graphs(program, record.graphs);
  Merger merger(program, schedule, gpu, store);
  const auto add = [&](const Scheduled& scheduled) {
    record.plans.push_back(plan_record(program, scheduled, graphs.of(scheduled.plan.graph), merger));
  };
  record.all_plans = static_cast<std::int64_t>(schedule.plans.size());
  record.priced = schedule.priced;
  for (const Scheduled& scheduled : schedule.plans) {
    if (record.plans.size() == kRecordedPlans) break;
    add(scheduled);
    if (unfused && unfused->plan == scheduled.plan)
      record.unfused = static_cast<int>(record.plans.size()) - 1;
  }
  if (unfused && record.unfused < 0) {
    const bool known = std::any_of(schedule.plans.begin(), schedule.plans.end(),
                                   [&](const Scheduled& each) { return each.plan == unfused->plan; });
    if (!known) ++record.all_plans;
    record.unfused = static_cast<int>(record.plans.size());
    add(*unfused);
  }
}

}  // namespace workbook::opt
