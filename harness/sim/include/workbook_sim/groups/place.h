// Where the running thread stands in its block, warp and grid.
#pragma once

#include <cstdint>

#include "../attributes.h"
#include "../builtins.h"
#include "../engine_api.h"

namespace workbook::sim {

WORKBOOK_SIM_INLINE unsigned int count_of(uint3 extent) { return extent.x * extent.y * extent.z; }
/// Of the launch, in blocks. By axis, for g++ and clang return vectors in different ways.
WORKBOOK_SIM_INLINE uint3 cluster_extent() {
  return {workbook_sim_cluster_extent(0), workbook_sim_cluster_extent(1), workbook_sim_cluster_extent(2)};
}
WORKBOOK_SIM_INLINE unsigned int rank_in(uint3 index, uint3 extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}
WORKBOOK_SIM_INLINE unsigned int thread_in_block() { return rank_in(threadIdx, blockDim); }
WORKBOOK_SIM_INLINE unsigned int threads_of_block() { return count_of(blockDim); }
WORKBOOK_SIM_INLINE unsigned int lane_in_warp() { return thread_in_block() % 32u; }

/// The lanes that the warp was given: all but in the last warp of a block of ragged size.
WORKBOOK_SIM_INLINE std::uint32_t lanes_of_warp() {
  const unsigned int rest = threads_of_block() - thread_in_block() / 32u * 32u;
  return rest >= 32u ? 0xffffffffu : (1u << rest) - 1u;
}

/// The n-th set bit of the mask, from the lowest; 32 when there are not so many.
WORKBOOK_SIM_INLINE unsigned int nth_lane(std::uint32_t mask, unsigned int n) {
  for (; n > 0 && mask != 0; --n) mask &= mask - 1u;
  return mask == 0 ? 32u : static_cast<unsigned int>(__builtin_ctz(mask));
}

/// How many lanes of the mask come before this one.
WORKBOOK_SIM_INLINE unsigned int rank_in_mask(std::uint32_t mask, unsigned int lane) {
  return static_cast<unsigned int>(__builtin_popcount(mask & ((1u << lane) - 1u)));
}

}  // namespace workbook::sim
