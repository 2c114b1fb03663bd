// threadIdx and its kin where the compiler traces the variables that stand for them elsewhere: clang,
// diagnosing. A member is then read by a function, which is no access. Needs -fdeclspec.
#pragma once

#include "vector_types.h"

extern "C" {
/// `axis`: 0 x, 1 y, 2 z. One thread's answer never changes.
__attribute__((const)) unsigned int workbook_sim_thread_index(int axis);
__attribute__((const)) unsigned int workbook_sim_block_index(int axis);
__attribute__((const)) unsigned int workbook_sim_block_extent(int axis);
__attribute__((const)) unsigned int workbook_sim_grid_extent(int axis);
}

namespace workbook::sim {

template <unsigned int (*kRead)(int)>
struct TracedBuiltin {
  __declspec(property(get = get_x)) unsigned int x;
  __declspec(property(get = get_y)) unsigned int y;
  __declspec(property(get = get_z)) unsigned int z;

  __attribute__((always_inline)) unsigned int get_x() const { return kRead(0); }
  __attribute__((always_inline)) unsigned int get_y() const { return kRead(1); }
  __attribute__((always_inline)) unsigned int get_z() const { return kRead(2); }
  __attribute__((always_inline)) operator uint3() const { return {kRead(0), kRead(1), kRead(2)}; }
  __attribute__((always_inline)) operator dim3() const { return {kRead(0), kRead(1), kRead(2)}; }
};

}  // namespace workbook::sim

inline constexpr workbook::sim::TracedBuiltin<workbook_sim_thread_index> threadIdx;
inline constexpr workbook::sim::TracedBuiltin<workbook_sim_block_index> blockIdx;
inline constexpr workbook::sim::TracedBuiltin<workbook_sim_block_extent> blockDim;
inline constexpr workbook::sim::TracedBuiltin<workbook_sim_grid_extent> gridDim;
