#include "optimizer/plan/launch_memo.h"

#include <bit>

namespace workbook::opt {

LaunchSignature signature_of(const Plan& plan, const Launch& launch, std::uint64_t nodes,
                             const std::vector<IndexSet>& shapes) {
  const Graph& graph = plan.graph;
  std::uint64_t all = nodes;
  for (const int node : launch.reads) all |= node_bit(node);
  std::vector<std::int64_t> place(graph.nodes.size(), -1);
  const std::vector<int> list = node_list(all);
  for (std::size_t i = 0; i < list.size(); ++i) place[slot(list[i])] = static_cast<std::int64_t>(i);
  const auto place_of = [&](int node) { return node < 0 ? -1 : place[slot(node)]; };

  const std::uint64_t halves = plan.halves();
  LaunchSignature text;
  const auto add = [&](std::initializer_list<std::int64_t> numbers) { text.insert(text.end(), numbers); };
  for (const int node : list) {
    const Node& op = graph.nodes[slot(node)];
    add({shapes[slot(node)], static_cast<std::int64_t>(op.op), op.over, graph.output_number(node),
         listed(launch.writes, node), (halves & node_bit(node)) != 0});
    if ((nodes & node_bit(node)) != 0) {
      add({1, place_of(op.a), place_of(op.b), op.fn});
    } else if (slot(node) < graph.inputs.size()) {
      const Tensor& tensor = graph.inputs[slot(node)];
      add({2, static_cast<std::int64_t>(tensor.storage), tensor.constant >= 0, tensor.view_of >= 0});
      for (const std::uint8_t dim : tensor.dims) add({dim});
      if (tensor.has_range())  // what is multiplied may then be no number of half
        add({-5, std::bit_cast<std::int64_t>(tensor.low), std::bit_cast<std::int64_t>(tensor.high)});
      if (tensor.view_of >= 0)
        add({-4, op.a});  // views differ as their names do: within one program by number
      if (tensor.is_placed()) add({-3, tensor.placed.kind, tensor.placed.plus, tensor.placed.hides});
      for (const Placed::Term& term : tensor.placed.terms) add({term.index, term.times});
    } else if (const Parts& parts = launch.parts[slot(node)]; parts.launch >= 0) {
      const Cut& cut = plan.kernels[slot(parts.launch)].cuts[slot(parts.index)];
      add({3, parts.index, place_of(parts.maximum), cut.grid, cut.loop});
    } else {
      add({4});
    }
    add({-2});
  }
  return text;
}

}  // namespace workbook::opt
