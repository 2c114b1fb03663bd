// Puzzle 42, what the learner is handed: the product that --unfused launches three times.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "tile.h"

constexpr int kBlockSize = 256;  // threads a block where a thread has an element and there are no tiles

// A row of --concat's left tile: 2 kTile elements are used, of the x tile and of x a. The two rows that a
// warp reads together are kTile elements further apart, so that they lie in different banks.
constexpr int kLeftStride = 3 * kTile;

// Tensors hold half; what is computed is float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline half to_half(float value) { return __float2half(value); }

// result = left right, with left [rows, inner] and right [inner, columns]: the tiled product of Puzzle 16 for
// half. A block of kTile x kTile threads computes one tile of the result. The tiles in shared memory are
// float: each element is converted once, and used kTile times.
__global__ void product_kernel(half* result, const half* left, const half* right, int rows, int inner,
                               int columns) {
  __shared__ float left_tile[kTile][kTile];
  __shared__ float right_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    const int left_k = first + tx, right_k = first + ty;
    left_tile[ty][tx] = row < rows && left_k < inner ? to_float(left[row * inner + left_k]) : 0.0f;
    right_tile[ty][tx] =
        right_k < inner && column < columns ? to_float(right[right_k * columns + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sum += left_tile[ty][k] * right_tile[k][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (row < rows && column < columns) result[row * columns + column] = to_half(sum);
}
