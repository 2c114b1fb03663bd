// Puzzle 22, what the learner is handed. For --unfused the three launches that are not layernorm_kernel, to
// be read: a tiled transpose, the tiled matrix product of Puzzle 16, an elementwise add. For --fused-tiled
// how the threads of a block share a tile of y, and how they move four floats at once.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

// Inside the square root: it keeps a row of equal values (variance 0) from dividing by 0.
constexpr float kEpsilon = 1e-5f;

// The sum of `value` over the 32 lanes of a warp, in every lane. All 32 must call it together. Shuffles
// move registers between lanes: no shared memory and no barrier (Puzzle 24 builds this step by step).
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// A block has kRowsPerBlock rows at a time, a warp each. Of rows whose gradients are added up, a block of the
// backward kernels takes kRowsPerShare before it hands on the sums.

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

// A block multiplies kTileRows rows of one matrix with kTileColumns columns of another, kTileDepth elements
// of the sum at a time, and a thread computes 8 x 16 results of them, in registers. With all else it takes
// more than 200 registers, so 128 threads take nearly half of the 65536 of an SM, and two blocks share it:
// while one of them waits at its barrier, begins or ends, the other one multiplies.
// The sizes of these tiles stand in sizes.h, because the declaration counts with them, too: how often a
// block reads the rows, and how many barriers it takes. What follows is how the threads of a block share a
// tile, and how it lies in shared memory.
constexpr int kTileThreads = 128;
constexpr int kTileBlocks = 2;  // on an SM
constexpr int kThreadRows = 8;
constexpr int kThreadColumns = 16;
static_assert(kTileThreads * kThreadRows * kThreadColumns == kTileRows * kTileColumns, "all results, once");
// A line in shared memory holds one element of the sum for all rows, and four floats that nobody uses: where
// neighbouring lanes store lines that are four apart, 4 * 132 floats are half of the 32 banks further on.
constexpr int kRowStride = kTileRows + 4;
constexpr int kColumnStride = kTileColumns + 4;

// --fused-tiled: kTilePositions of the rows, all but two, are positions of x; the last two are gamma and beta
// themselves.
constexpr int kGammaRow = kTileRows - 2;
constexpr int kBetaRow = kTileRows - 1;

// What a block of --fused-tiled has in shared memory. Two buffers of each tile: one is filled while the other
// is multiplied.
struct FusedTiles {
  __align__(16) float x[2][kTileDepth][kRowStride];
  __align__(16) float w[2][kTileDepth][kColumnStride];
  float row_mean[kTileRows], row_inv_std[kTileRows];  // by row of the tile
  float w_gamma[kTileColumns], w_beta[kTileColumns];  // by column of the tile: what rows 126 and 127 come to
};

// Row i of the eight, column j of the sixteen of the block's tile that this thread computes. A warp has 64 x
// 64 results, four lanes side by side and eight below each other. The rows of a thread are two times four,
// its columns four times four: so each four are one load, and the lanes of a warp meet neighbouring addresses
// or one and the same, never two lines of one bank.
__device__ inline int tile_row(int i) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp / 2 * 64 + i / 4 * 32 + lane / 4 * 4 + i % 4;
}
__device__ inline int tile_column(int j) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  return warp % 2 * 64 + j / 4 * 16 + lane % 4 * 4 + j % 4;
}

// values[0..3] = elements k to k + 3 of `row`, which has `width` elements, and `filler` past the end.
// kVectors: in one load of 16 bytes, for rows whose width is a multiple of four; other rows do not all begin
// at multiples of 16 bytes. Asking for that at each load would cost a branch each, so whoever calls has asked
// before.
template <bool kVectors>
__device__ inline void load_four(float* values, const float* row, int k, int width, float filler) {
  if (kVectors) {
    float4 four = {filler, filler, filler, filler};
    if (k < width) four = *reinterpret_cast<const float4*>(row + k);
    values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) values[i] = k + i < width ? row[k + i] : filler;
  }
}

// values[0..3] = line[at..], from shared memory in one load of 16 bytes.
__device__ inline void read_four(float* values, const float* line, int at) {
  const float4 four = *reinterpret_cast<const float4*>(line + at);
  values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
}

// row[at..] = values[0..3], as far as the row goes.
template <bool kVectors>
__device__ inline void write_four(float* row, int at, int width, const float* values) {
  if (kVectors) {
    if (at < width) *reinterpret_cast<float4*>(row + at) = float4{values[0], values[1], values[2], values[3]};
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (at + i < width) row[at + i] = values[i];
  }
}
