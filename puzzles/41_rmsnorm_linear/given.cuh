// Puzzle 41, what the learner is handed: sums over a block and over a row of a tile, and the product of
// --unfused.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "tile.h"

// Inside the square root: it keeps a row of zeros from dividing by 0.
constexpr float kEpsilon = 1e-5f;

constexpr int kWarpSize = 32;
constexpr int kBlockSize = 256;  // threads a row in rmsnorm_kernel
constexpr unsigned kAllLanes = 0xffffffffu;

// Tensors hold half; what is computed is float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline half to_half(float value) { return __float2half(value); }

// The sum of `value` over all kBlockSize threads of the block, in every thread (Puzzle 24). All of them must
// call it, once.
__device__ inline float block_sum(float value) {
  __shared__ float sums[kBlockSize / kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  if (lane == 0) sums[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  float total = 0.0f;
  for (const float sum : sums) total += sum;
  return total;
}

// The sum of `value` over the kTile threads of one row of a tile, in each of them. A warp is two such rows:
// offsets below kTile never leave a row.
__device__ inline float tile_row_sum(float value) {
  for (int offset = kTile / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

// --unfused, the second of its launches: y = normalized w, the tiled product of Puzzle 16 for half. A block
// of kTile x kTile threads computes one tile of y. The tiles in shared memory are float: each element is
// converted once, and used kTile times.
__global__ void product_kernel(half* y, const half* normalized, const half* w, int rows, int hidden,
                               int outputs) {
  __shared__ float x_tile[kTile][kTile];
  __shared__ float w_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < hidden; first += kTile) {
    const int h = first + tx, w_h = first + ty;
    x_tile[ty][tx] = row < rows && h < hidden ? to_float(normalized[row * hidden + h]) : 0.0f;
    w_tile[ty][tx] = w_h < hidden && column < outputs ? to_float(w[w_h * outputs + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sum += x_tile[ty][k] * w_tile[k][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (row < rows && column < outputs) y[row * outputs + column] = to_half(sum);
}
