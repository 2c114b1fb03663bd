// Who takes a row, where some warps of a block have one each: instead of row_of_block.cuh.
#pragma once

// kThreads share a row: which of them is this one.
template <int kThreads>
__device__ inline int thread_of_row() {
  return static_cast<int>(threadIdx.x % kThreads);
}
