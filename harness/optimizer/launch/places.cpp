// Where tensors lie, and their tiles in shared memory.
#include "optimizer/forms/tensor/shape.h"

namespace workbook::opt {

std::int64_t shared_stride(const std::vector<std::uint8_t>& layout, const Extents& tiles, int index) {
  std::int64_t stride = 1;
  for (std::size_t dim = layout.size(); dim-- > 0;) {
    if (layout[dim] == index) return stride;
    stride *= tiles[layout[dim]] + (dim + 1 == layout.size() && layout.size() > 1 ? 1 : 0);
  }
  return 0;
}

std::int64_t shared_elements(const std::vector<std::uint8_t>& layout, const Extents& tiles) {
  return layout.empty() ? 1 : shared_stride(layout, tiles, layout.front()) * tiles[layout.front()];
}

Extents tiles_of(const Kernel& kernel, const Extents& extents) {
  Extents tiles;
  for (std::size_t i = 0; i < kMaxIndices; ++i)
    tiles[i] = static_cast<std::int32_t>(tile_of(kernel.cuts[i], extents[i]));
  return tiles;
}

std::int64_t shared_bytes(const Nested& nested, const Extents& tiles) {
  std::int64_t bytes = 0;
  for (std::size_t node = 0; node < nested.layout.size(); ++node)
    if (nested.is_shared[node])
      bytes += 4 * shared_elements(nested.layout[node], tiles) *
               (static_cast<int>(node) == nested.rescale ? 2 : 1);
  return bytes;
}

std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node) {
  return dims_of(program, plan, node, shapes_of(plan.graph, program.output_set()));
}

std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node,
                                  const std::vector<IndexSet>& shapes) {
  if (slot(node) < plan.graph.inputs.size()) return plan.graph.inputs[slot(node)].dims;
  if (node == plan.graph.output()) return program.output_dims;
  std::vector<std::uint8_t> dims;
  for (const int index : members(shapes[slot(node)])) dims.push_back(static_cast<std::uint8_t>(index));
  return dims;
}

Storage storage_of(const Program& program, const Plan& plan, int node) {
  if (slot(node) < plan.graph.inputs.size()) return plan.graph.inputs[slot(node)].storage;
  if (node == plan.graph.output()) return program.output_storage;
  return (plan.halves() & node_bit(node)) != 0 ? tensor_type(program, plan) : Storage::f32;
}

}  // namespace workbook::opt
