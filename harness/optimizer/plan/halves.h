// What tensor cores multiply in a plan, called half in this folder, and what lies in memory as they take it.
#pragma once

#include "optimizer/plan/plan.h"

namespace workbook::opt {

/// What tensor cores multiply here, called half in this folder: bfloat16 where that is the only type of 16
/// bits that inputs and result have.
Storage tensor_type(const Program& program, const Graph& graph);
inline Storage tensor_type(const Program& program, const Plan& plan) {
  return tensor_type(program, plan.graph);
}

/// Nodes that may lie in memory as that type where they cross launches: every value is a number of it, and
/// what products multiply them by is of it.
std::uint64_t nodes_for_halves(const Program& program, const Graph& graph);
/// Of `allowed`, those that a launch of these nodes writes for products of others, and for nothing else; what
/// its grid cuts stays float.
std::uint64_t halves_of(const Graph& graph, const Kernel& kernel, std::uint64_t allowed);
/// Of `halves` those whose sums the kernel's grid does not cut: parts of a sum are added as float.
std::uint64_t uncut_by_grid(const Graph& graph, const Kernel& kernel, std::uint64_t halves);

}  // namespace workbook::opt
