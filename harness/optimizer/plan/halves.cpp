#include "optimizer/plan/halves.h"

#include <algorithm>

#include "optimizer/graph/ranges.h"

namespace workbook::opt {

Storage tensor_type(const Program& program, const Graph& graph) {
  bool half = program.output_storage == Storage::f16, brain = program.output_storage == Storage::bf16;
  for (const Tensor& tensor : graph.inputs) {
    half = half || tensor.storage == Storage::f16;
    brain = brain || tensor.storage == Storage::bf16;
  }
  return brain && !half ? Storage::bf16 : Storage::f16;
}

std::uint64_t nodes_for_halves(const Program& program, const Graph& graph) {
  const Storage half = tensor_type(program, graph);
  const auto is_input = [&](int node) { return slot(node) < graph.inputs.size(); };
  const auto meets_half = [&](int node) {
    return !is_input(node) ||
           (graph.inputs[slot(node)].storage == half && graph.inputs[slot(node)].constant < 0);
  };
  const bool any = std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](const Tensor& tensor) {
    return tensor.storage == half && tensor.constant < 0;
  });
  if (!any) return 0;
  const std::vector<Range> ranges = ranges_of(graph);
  std::uint64_t allowed = 0;
  for (const int node : node_list(needed_nodes(graph))) {
    bool fits =
        !graph.is_output(node) && (half != Storage::f16 || ranges[slot(node)].magnitude() <= kMostHalf);
    for (const Node& user : graph.nodes)
      if (user.op == Op::matmul && (user.a == node || user.b == node))
        fits = fits && meets_half(user.a == node ? user.b : user.a);
    if (fits) allowed |= node_bit(node);
  }
  return allowed;
}

std::uint64_t halves_of(const Graph& graph, const Kernel& kernel, std::uint64_t allowed) {
  std::uint64_t crossing = 0, otherwise = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.op == Op::input || (kernel.nodes & node_bit(static_cast<int>(i))) != 0) continue;
    for (const int of : {int{user.a}, int{user.b}})
      if (of >= 0) (user.op == Op::matmul ? crossing : otherwise) |= node_bit(of);
  }
  return uncut_by_grid(graph, kernel, kernel.nodes & allowed & crossing & ~otherwise);
}

std::uint64_t uncut_by_grid(const Graph& graph, const Kernel& kernel, std::uint64_t halves) {
  for (const int node : node_list(halves))
    if (const int over = graph.nodes[slot(node)].over; over >= 0 && kernel.cuts[slot(over)].grid > 1)
      halves &= ~node_bit(node);
  return halves;
}

}  // namespace workbook::opt
