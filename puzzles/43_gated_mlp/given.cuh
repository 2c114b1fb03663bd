// Puzzle 43, what the learner is handed: the tiled product of Puzzle 16 for half.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "tile.h"

constexpr int kBlockSize = 256;              // threads a block where a thread has one element
constexpr unsigned kAllLanes = 0xffffffffu;  // for shuffles that all 32 lanes of a warp take part in

// Tensors hold half; what is computed is float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline half to_half(float value) { return __float2half(value); }

// One element of x m: the sum over h of x[row][h] * m[h][column], for this thread's row and column of a block
// of kTile x kTile threads. m has `columns` columns. The tiles in shared memory are float: each element is
// converted once, and used kTile times. All threads of the block must call it, those outside of the result
// too.
__device__ inline float tile_product(const half* x, const half* m, int rows, int hidden, int columns) {
  __shared__ float x_tile[kTile][kTile];
  __shared__ float m_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < hidden; first += kTile) {
    const int x_h = first + tx, m_h = first + ty;
    x_tile[ty][tx] = row < rows && x_h < hidden ? to_float(x[row * hidden + x_h]) : 0.0f;
    m_tile[ty][tx] = m_h < hidden && column < columns ? to_float(m[m_h * columns + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sum += x_tile[ty][k] * m_tile[k][tx];
    __syncthreads();  // nobody reads them any more
  }
  return sum;
}

// out = x m. A block of kTile x kTile threads computes one tile of it.
__global__ void product_kernel(half* out, const half* x, const half* m, int rows, int hidden, int columns) {
  const float sum = tile_product(x, m, rows, hidden, columns);
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row < rows && column < columns) out[row * columns + column] = to_half(sum);
}
