// A given.cuh for the made-up runs: each line that they name is what they say of it.
#include "fixture.h"

namespace workbook::viewer::fixture {

const char* given_source() {
  return R"(// What the unfused variant is given: three kernels and their constants.
#pragma once

constexpr int kTile = 32, kTileRows = 8;

// Straight from global to global, either the reads or the writes would jump a
// whole row from lane to lane. Through a shared tile both run along rows.
__global__ void transpose_kernel(float* out, const float* in, int rows, int cols) {
  // One column more than needed: neighbours of a column lie in different banks.
  __shared__ float tile[kTile][kTile + 1];
  const int first_row = blockIdx.y * kTile;
  const int first_col = blockIdx.x * kTile;
  const int lane = threadIdx.x;

  // Each warp reads along a row and keeps it in the tile.
  for (int j = threadIdx.y; j < kTile; j += kTileRows) {
    const int row = first_row + j;
    const int col = first_col + lane;
    // Past an edge there is nothing to read.
    const bool inside = row < rows && col < cols;
    if (!inside) continue;
    tile[j][lane] = in[row * cols + col];
  }
  __syncthreads();  // a thread writes out what others have loaded
  for (int j = threadIdx.y; j < min(kTile, cols - first_col); j += kTileRows)
    if (first_row + lane < rows) out[(first_col + j) * rows + first_row + lane] = tile[lane][j];
}

constexpr int kMatmulTile = 16;

// c [rows, cols] = a [rows, inner] b [inner, cols]. Block (16, 16).
// Each element of a tile is read from global memory once and used 16 times.
__global__ void matmul_tiled_kernel(float* c, const float* a, const float* b, int rows, int cols, int inner) {
  __shared__ float a_tile[kMatmulTile][kMatmulTile];
  __shared__ float b_tile[kMatmulTile][kMatmulTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kMatmulTile + ty;
  const int col = blockIdx.x * kMatmulTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kMatmulTile) {
    // Past an edge a zero adds nothing. Every thread loads and waits, also one
    // that has no output: its elements of the tiles are for others.
    a_tile[ty][tx] = row < rows && first + tx < inner ? a[row * inner + first + tx] : 0.0f;
    b_tile[ty][tx] = col < cols && first + ty < inner ? b[(first + ty) * cols + col] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int k = 0; k < kMatmulTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();  // nobody reads them any more: the next round may overwrite
  }
  if (row < rows && col < cols) c[row * cols + col] = sum;
}

// y [rows, cols] = x [rows, cols] + bias [cols]. Grid (rows, ceil(cols / block)).
// Each element comes from DRAM and goes back there for one addition: that is
// what a fused kernel saves.
__global__ void add_bias_kernel(float* y, const float* x, const float* bias, int cols) {
  const int row = blockIdx.x;
  const int col = blockIdx.y * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  const int at = row * cols + col;
  y[at] = x[at] + bias[col];
}
)";
}

}  // namespace workbook::viewer::fixture
