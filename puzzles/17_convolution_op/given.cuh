// Puzzle 17, Convolution op, what the learner is handed: the staging of Puzzle 13, and its kernel, which
// convolves one row. sizes.h: blocks of 128 threads (kBlockSize), filters of up to 256 taps (kMaxTaps), of
// which --pieces takes 128 at a time (kPiece).
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

// Copies `count` elements, from[first] and those behind it, to shared memory: all threads of the block call
// it together and share the work. An element at or past `size` does not exist: its place gets 0. No barrier.
__device__ inline void stage(float* to, const float* from, int first, int count, int size) {
  for (int t = threadIdx.x; t < count; t += blockDim.x) to[t] = first + t < size ? from[first + t] : 0.0f;
}

// One row of `size` elements: --block-boundary of Puzzle 13. Grid: a block for every kBlockSize results.
__global__ void convolve_row_kernel(float* out, const float* x, const float* filter, int size, int taps) {
  __shared__ float shared_x[kBlockSize + kMaxTaps - 1];  // the block's own elements, then its halo
  __shared__ float shared_filter[kMaxTaps];
  const int first = blockIdx.x * kBlockSize;
  stage(shared_x, x, first, kBlockSize + taps - 1, size);
  stage(shared_filter, filter, 0, taps, taps);
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i >= size) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += shared_filter[k] * shared_x[threadIdx.x + k];
  out[i] = sum;
}
