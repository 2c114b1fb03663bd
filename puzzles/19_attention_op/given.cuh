// Puzzle 19, Attention op, what the learner is handed: sums and maxima over a warp (Puzzle 24) and a block,
// the softmax of rows (Puzzle 18) and the tiled product (Puzzle 16). sizes.h: blocks of 256 threads
// (kThreads), tiles of 16 x 16 (kTile), at most 8192 keys for --vector (kMaxKeys), warps of 32 lanes
// (kWarpSize), and rows of at most 64 floats for --fused (kMaxFeatures).
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

constexpr unsigned kAllLanes = 0xffffffffu;

// Every lane gets the sum of the warp's 32 values, or the largest of them.
__device__ inline float warp_sum(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}
__device__ inline float warp_max(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

// Every thread gets the sum over the block's kThreads values, or the largest of them. All threads must call.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kThreads / kWarpSize];
  __syncthreads();  // nobody reads what a call before has left
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  value = 0.0f;
  for (const float other : of_warp) value += other;
  return value;
}
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kThreads / kWarpSize];
  __syncthreads();
  value = warp_max(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  for (const float other : of_warp) value = fmaxf(value, other);
  return value;
}

// Each row of `in` [rows, columns]: exp(x - largest of the row) / sum of them. Grid: a block of kThreads a
// row. The row is read three times; the cache has it from the second time on.
__global__ void softmax_kernel(float* out, const float* in, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* out_row = out + static_cast<size_t>(blockIdx.x) * columns;
  float largest = -INFINITY, sum = 0.0f;
  for (int j = threadIdx.x; j < columns; j += kThreads) largest = fmaxf(largest, row[j]);
  largest = block_max(largest);
  for (int j = threadIdx.x; j < columns; j += kThreads) sum += expf(row[j] - largest);
  sum = block_sum(sum);
  for (int j = threadIdx.x; j < columns; j += kThreads) out_row[j] = expf(row[j] - largest) / sum;
}

// c [rows, cols] = a [rows, inner] b [inner, cols]: --tiled of Puzzle 16. Grid (ceil(cols / kTile),
// ceil(rows / kTile)), blocks of kTile x kTile threads.
__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    a_tile[ty][tx] =
        row < rows && first + tx < inner ? a[static_cast<size_t>(row) * inner + first + tx] : 0.0f;
    b_tile[ty][tx] =
        first + ty < inner && col < cols ? b[static_cast<size_t>(first + ty) * cols + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < rows && col < cols) c[static_cast<size_t>(row) * cols + col] = sum;
}
