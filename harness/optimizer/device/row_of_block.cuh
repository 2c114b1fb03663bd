// Who takes a row; row_of_warp.cuh takes its place where warps do.
#pragma once

// A block takes a row: which of the threads that share it is this one.
template <int kThreads>
__device__ inline int thread_of_row() {
  return static_cast<int>(threadIdx.x);
}
