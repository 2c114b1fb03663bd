// Puzzle 24, what the learner is handed: sizes, and the tree of Puzzle 12 on the same rows, to compare with.
#pragma once

#include <cuda_runtime.h>

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;
constexpr int kWarpsPerBlock = kBlockSize / kWarpSize;

// --tree: a block a row. The sum of a row goes through shared memory, with 9 barriers; in the last rounds
// most threads wait for a few.
__global__ void center_tree_kernel(float* out, const float* x, int columns) {
  __shared__ float sums[kBlockSize];
  const int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float sum = 0.0f;
  for (int c = t; c < columns; c += kBlockSize) sum += row[c];
  sums[t] = sum;
  for (int half = kBlockSize / 2; half > 0; half /= 2) {
    __syncthreads();  // what is read below was stored by another thread
    if (t < half) sums[t] += sums[t + half];
  }
  __syncthreads();  // here every thread reads the total, and thread 0 has stored it
  const float mean = sums[0] / columns;
  for (int c = t; c < columns; c += kBlockSize) out[blockIdx.x * columns + c] = row[c] - mean;
}
