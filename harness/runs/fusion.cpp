#include "runs/fusion.h"

#include <algorithm>

#include "runs/document.h"

namespace workbook::runs {
namespace {

constexpr DocumentKind kFusion = {"workbook fusion", 1, "fusion", "it holds no plans of workbook optimize"};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

void demand(bool holds, const char* what) {
  if (!holds) fail(std::string("its ") + what + " do not fit one another");
}

template <class List>
bool in(std::int64_t number, const List& list) {
  return number >= 0 && number < static_cast<std::int64_t>(list.size());
}

void check(const FusionGraph& graph) {
  demand(in(graph.output, graph.nodes), "graphs");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    demand(graph.nodes[i].bytes >= 0, "graphs");
    for (const int operand : graph.nodes[i].operands)
      demand(operand >= 0 && operand < static_cast<int>(i), "graphs");
  }
}

void check(const FusionPlan& plan, const std::vector<FusionGraph>& graphs) {
  demand(in(plan.graph, graphs) && !plan.launches.empty(), "plans");
  const std::vector<FusionNode>& nodes = graphs[static_cast<std::size_t>(plan.graph)].nodes;
  for (const FusionLaunch& launch : plan.launches) {
    demand(std::all_of(launch.nodes.begin(), launch.nodes.end(), [&](int node) { return in(node, nodes); }),
           "launches");
    for (const TensorTraffic& traffic : launch.traffic) demand(in(traffic.tensor, nodes), "launches");
  }
  for (const FusionCrossing& each : plan.crossings)
    demand(in(each.node, nodes) && in(each.from, plan.launches) && in(each.to, plan.launches), "launches");
}

void check(const FusionRecord& record) {
  demand(!record.graphs.empty(), "graphs");
  for (const FusionGraph& graph : record.graphs) check(graph);
  for (const int graph : record.equal) demand(in(graph, record.graphs), "graphs");
  for (const FusionPlan& plan : record.plans) check(plan, record.graphs);
  for (const int plan : {record.unfused, record.best}) demand(plan == -1 || in(plan, record.plans), "plans");
  for (const FusionDepth& depth : record.depths)
    demand(depth.cut.size() == record.reasons.size(), "counts of the search");
  for (std::size_t i = 0; i < record.tree.size(); ++i) {
    const FusionState& state = record.tree[i];
    demand(state.cut.size() == record.reasons.size() && state.parent >= -1 &&
               state.parent < static_cast<int>(i) && (state.parent >= 0) == (i > 0),
           "counts of the search");
    demand(state.depth > (i > 0 ? record.tree[static_cast<std::size_t>(state.parent)].depth : -1),
           "counts of the search");
  }
}

}  // namespace

void write_fusion(const std::filesystem::path& file, const FusionRecord& record) {
  write_document(file, kFusion, to_json(record));
}

bool is_fusion(std::string_view text) { return is_document(kFusion, text); }

FusionRecord read_fusion(const std::filesystem::path& file) {
  return read_document(file, kFusion, [](const Json& content) {
    FusionRecord record = fusion_from_json(content);
    check(record);
    return record;
  });
}

}  // namespace workbook::runs
