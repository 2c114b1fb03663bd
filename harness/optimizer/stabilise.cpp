// A maximum for every exp that is summed, so that nothing overflows.
#include <algorithm>

#include "optimizer/schedule.h"
#include "optimizer/verify.h"

namespace workbook::opt {
namespace {

/// The index over which the node's result is summed or contracted, or -1.
int summed_over(const Graph& graph, int node) {
  for (const Node& user : graph.nodes)
    if (user.op != Op::input && (user.op == Op::sum || user.op == Op::matmul) &&
        (user.a == node || user.b == node))
      return user.over;
  return -1;
}

/// Whether what is computed from the node, element by element, is summed or contracted: exp(u) * exp(w).
bool reaches_sum(const Graph& graph, int node) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (user.a != node && user.b != node)) continue;
    if (user.op == Op::sum || user.op == Op::matmul || reaches_sum(graph, static_cast<int>(i))) return true;
  }
  return false;
}

}  // namespace

std::optional<Graph> stabilised(const Program& program, const Graph& graph) {
  Graph result = graph;
  result.nodes.clear();
  std::vector<std::int8_t> place(graph.nodes.size());
  bool changed = false;
  const auto add = [&](const Node& node) {
    result.nodes.push_back(node);
    return static_cast<std::int8_t>(result.nodes.size() - 1);
  };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node node = graph.nodes[i];
    if (node.op != Op::input) {
      node.a = place[slot(node.a)];
      if (node.b >= 0) node.b = place[slot(node.b)];
    }
    if (const int over = node.op == Op::exp ? summed_over(graph, static_cast<int>(i)) : -1; over >= 0) {
      if (result.nodes.size() + 3 > kMaxNodes) return std::nullopt;
      const auto most = add({Op::max, node.a, -1, static_cast<std::int8_t>(over), 0});
      node.a = add({Op::sub, node.a, most, -1, 0});
      changed = true;
    } else if (node.op == Op::exp && reaches_sum(graph, static_cast<int>(i))) {
      return std::nullopt;  // a factor of what is summed: no maximum of its own would do
    }
    place[i] = add(node);
  }
  result.outputs = {place[slot(graph.output())]};
  if (!changed) return graph;
  if (type_fault(result, program.output_set())) return std::nullopt;
  if (!Verifier(program, {}).verify(result, false).equal) return std::nullopt;
  return result;
}

}  // namespace workbook::opt
