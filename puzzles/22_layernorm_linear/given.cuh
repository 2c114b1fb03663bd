// Puzzle 22, what the learner is handed: the three launches of --unfused that are not layernorm_kernel.
// They are here to be read: a tiled transpose, the tiled matrix product of Puzzle 16, an elementwise add.
#pragma once

#include <cuda_runtime.h>

constexpr int kTransposeTile = 32;
constexpr int kTransposeRows = 8;  // a block is 32 x 8 threads, each moving four elements of the tile

// out [cols, rows] = transpose of in [rows, cols]. Grid (ceil(cols / 32), ceil(rows / 32)).
// Straight from global to global, either the reads or the writes would jump a whole row from lane to lane,
// 32 sectors for 32 floats. Through a shared tile both run along rows.
__global__ void transpose_kernel(float* out, const float* in, int rows, int cols) {
  // One column more than needed: the tile is read down its columns, and with rows of 32 floats all 32
  // lanes would meet in one of the 32 banks, 32 passes. Rows of 33 put neighbours into different banks.
  __shared__ float tile[kTransposeTile][kTransposeTile + 1];
  const int first_row = blockIdx.y * kTransposeTile;
  const int first_col = blockIdx.x * kTransposeTile;
  const int lane = threadIdx.x;
  for (int j = threadIdx.y; j < kTransposeTile; j += kTransposeRows)
    if (first_row + j < rows && first_col + lane < cols)
      tile[j][lane] = in[(first_row + j) * cols + first_col + lane];
  __syncthreads();  // a thread writes out what others have loaded
  for (int j = threadIdx.y; j < kTransposeTile; j += kTransposeRows)
    if (first_col + j < cols && first_row + lane < rows)
      out[(first_col + j) * rows + first_row + lane] = tile[lane][j];
}

constexpr int kMatmulTile = 16;

// c [rows, cols] = a [rows, inner] b [inner, cols]. Grid (ceil(cols / 16), ceil(rows / 16)), block (16, 16).
// Each element of a tile is read from global memory once and used 16 times.
__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  __shared__ float a_tile[kMatmulTile][kMatmulTile];
  __shared__ float b_tile[kMatmulTile][kMatmulTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kMatmulTile + ty;
  const int col = blockIdx.x * kMatmulTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kMatmulTile) {
    // Past an edge a zero adds nothing. Every thread loads and waits, also one that has no output: its
    // elements of the tiles are for others.
    a_tile[ty][tx] = row < rows && first + tx < inner ? a[row * inner + first + tx] : 0.0f;
    b_tile[ty][tx] = col < cols && first + ty < inner ? b[(first + ty) * cols + col] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int k = 0; k < kMatmulTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();  // nobody reads them any more: the next round may overwrite
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
}

constexpr int kBiasThreads = 256;

// y [positions, outputs] = product + bias. Grid (positions, ceil(outputs / 256)): any number of outputs.
__global__ void add_bias_kernel(float* y, const float* product, const float* bias, int positions,
                                int outputs) {
  const int position = blockIdx.x;
  const int o = blockIdx.y * blockDim.x + threadIdx.x;
  if (position < positions && o < outputs)
    y[position * outputs + o] = product[position * outputs + o] + bias[o];
}
