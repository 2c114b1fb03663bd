// Where the tensors of a plan lie, and in which types: what kernels are written with and counted by.
#pragma once

#include "optimizer/plan/plan.h"

namespace workbook::opt {

Extents tiles_of(const Kernel& kernel, const Extents& extents);

/// The indices of a tensor in global memory, the last one contiguous: those of an input as declared, of the
/// output as the program says, of what crosses launches ascending, as f32 or as tensor cores take it
/// (Kernel::halves).
std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node);
std::vector<std::uint8_t> dims_of(const Program& program, const Plan& plan, int node,
                                  const std::vector<IndexSet>& shapes);
Storage storage_of(const Program& program, const Plan& plan, int node);
inline int item_bytes(Storage storage) { return storage == Storage::f32 || storage == Storage::i32 ? 4 : 2; }
/// An input that is computed where it is used.
inline bool is_placed(const Plan& plan, int node) {
  return slot(node) < plan.graph.inputs.size() && plan.graph.inputs[slot(node)].is_placed();
}
inline bool is_constant(const Plan& plan, int node) {
  return slot(node) < plan.graph.inputs.size() && plan.graph.inputs[slot(node)].constant >= 0;
}
inline bool is_view(const Plan& plan, int node) {
  return slot(node) < plan.graph.inputs.size() && plan.graph.inputs[slot(node)].view_of >= 0;
}
/// Its elements are looked up or computed one by one.
inline bool is_made(const Plan& plan, int node) { return is_placed(plan, node) || is_view(plan, node); }
/// What a launch is given of what it reads: of a view its source, and what chooses rows.
std::vector<int> stored_reads(const Plan& plan, const Launch& launch);
/// It lies in memory: a kernel is given it.
inline bool is_stored(const Plan& plan, int node) {
  return slot(node) >= plan.graph.inputs.size() || plan.graph.inputs[slot(node)].is_stored();
}

}  // namespace workbook::opt
