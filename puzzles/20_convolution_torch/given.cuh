// Puzzle 20, Convolution in PyTorch, what the learner is handed: the staging of Puzzle 17, and the sum over a
// block. sizes.h: blocks of 128 threads (kBlockSize), pieces of 128 taps (kPiece).
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

// Copies `count` elements, from[first] and those behind it, to shared memory: all threads of the block call
// it together and share the work. What lies before element 0 or at or past `size` does not exist: its place
// gets 0. `first` may be negative. No barrier.
__device__ inline void stage(float* to, const float* from, int first, int count, int size) {
  for (int t = threadIdx.x; t < count; t += blockDim.x) {
    const int i = first + t;
    to[t] = i >= 0 && i < size ? from[i] : 0.0f;
  }
}

// Every thread gets the sum over the block's kBlockSize values. All threads must call.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kBlockSize / 32];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (const float other : of_warp) value += other;
  return value;
}
