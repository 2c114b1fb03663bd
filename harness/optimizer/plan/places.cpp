#include "optimizer/plan/places.h"

#include "optimizer/plan/halves.h"

namespace workbook::opt {

Extents tiles_of(const Kernel& kernel, const Extents& extents) {
  Extents tiles;
  for (std::size_t i = 0; i < kMaxIndices; ++i)
    tiles[i] = static_cast<std::int32_t>(tile_of(kernel.cuts[i], extents[i]));
  return tiles;
}

std::vector<int> stored_reads(const Plan& plan, const Launch& launch) {
  std::vector<int> list;
  const auto add = [&](int node) {
    if (is_stored(plan, node) && !listed(list, node)) list.push_back(node);
  };
  for (const int node : launch.reads) {
    add(node);
    if (!is_view(plan, node)) continue;
    const Tensor& view = plan.graph.inputs[slot(node)];
    add(view.view_of);
    for (const Coordinate& coordinate : view.view)
      if (coordinate.by >= 0) add(coordinate.by);
  }
  return list;
}

std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node) {
  return dims_of(program, plan, node, shapes_of(plan.graph, program.output_set()));
}

std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node,
                                  const std::vector<IndexSet>& shapes) {
  if (slot(node) < plan.graph.inputs.size()) return plan.graph.inputs[slot(node)].dims;
  if (const int output = plan.graph.output_number(node); output >= 0) return program.output(output).dims;
  std::vector<std::uint8_t> dims;
  for (const int index : members(shapes[slot(node)])) dims.push_back(static_cast<std::uint8_t>(index));
  return dims;
}

Storage storage_of(const Program& program, const Plan& plan, int node) {
  if (slot(node) < plan.graph.inputs.size()) return plan.graph.inputs[slot(node)].storage;
  if (const int output = plan.graph.output_number(node); output >= 0) return program.output(output).storage;
  return (plan.halves() & node_bit(node)) != 0 ? tensor_type(program, plan) : Storage::f32;
}

}  // namespace workbook::opt
