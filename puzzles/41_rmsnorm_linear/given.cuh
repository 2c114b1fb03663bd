// Puzzle 41, what the learner is handed: sums over a block and over a row of a tile, the product of
// --unfused, and for --tensor the shared memory of a warp and the copies into it.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

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

// --tensor: the tiles of one step, in the shared memory of one warp.
struct Stage {
  alignas(32) half x[kTile][kStep + kPad];
  alignas(32) half w[kStep][kWidth + kPad];
  alignas(32) half g[kStep];
};

// What a warp has added up, when it is through.
struct WarpSums {
  alignas(32) float products[kTile][kWidth + kPad];
  float squares[kTile];
};

// The shared memory of one warp. Its sums take the room of the stages, which are then no longer needed.
union WarpMemory {
  Stage stages[kStages];
  WarpSums sums;
};

// Tiles in the registers of a warp. Which lane has which element is not said: they are filled, loaded,
// multiplied and stored as a whole, by all lanes together.
namespace wmma = nvcuda::wmma;
using XFragment = wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major>;
using WFragment = wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::row_major>;
using SumFragment = wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float>;

// Eight halfs in registers: `bits` is how they travel, as one access of 16 bytes, `at` what they are. `from`
// and `to` lie at multiples of 16 bytes.
union Eight {
  uint4 bits;
  half at[8];
};
__device__ inline Eight load_eight(const half* from) { return {*reinterpret_cast<const uint4*>(from)}; }
__device__ inline void store_eight(half* to, const Eight& eight) {
  *reinterpret_cast<uint4*>(to) = eight.bits;
}

// A warp begins to copy a tile of kRows x kColumns elements into shared memory. `from` is its first element,
// in a matrix whose rows lie `pitch` elements apart; `rows` and `columns` of it are inside the matrix, and
// zeros come for the rest. Where rows begin at multiples of 16 bytes a lane copies eight elements at once,
// and nobody waits. Where they do not, they go one by one, by way of a register.
template <int kRows, int kColumns>
__device__ inline void copy_tile(half* to, const half* from, int pitch, int rows, int columns) {
  const int lane = threadIdx.x % kWarpSize;
  if (pitch % 8 == 0) {
    // Eight lanes write at a time. They take a row of 64 elements; in tiles of shorter rows they take eight
    // rows, which the pad puts into different banks.
    constexpr int kPieces = kColumns / 8;
#pragma unroll
    for (int i = lane; i < kRows * kPieces; i += kWarpSize) {
      const int row = kPieces < 8 ? i % kRows : i / kPieces;
      const int column = 8 * (kPieces < 8 ? i / kRows : i % kPieces);
      const bool inside = row < rows && column < columns;
      __pipeline_memcpy_async(to + row * (kColumns + kPad) + column,
                              from + (inside ? row * pitch + column : 0), 16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
  } else {
    for (int i = lane; i < kRows * kColumns; i += kWarpSize) {
      const int row = i / kColumns, column = i % kColumns;
      to[row * (kColumns + kPad) + column] =
          row < rows && column < columns ? from[row * pitch + column] : to_half(0.0f);
    }
  }
}

// A warp begins the copies of one step, in one group: x of this block's rows, w of its columns, and g. A step
// behind the last is a group of nothing, so that each step has its group.
__device__ inline void fetch(Stage& stage, const half* x, const half* g, const half* w, int rows, int hidden,
                             int outputs, int step) {
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kWidth, first = step * kStep;
  if (first < hidden) {
    copy_tile<kStep, kWidth>(stage.w[0], w + first * outputs + first_column, outputs, hidden - first,
                             outputs - first_column);
    copy_tile<kTile, kStep>(stage.x[0], x + first_row * hidden + first, hidden, rows - first_row,
                            hidden - first);
    copy_tile<1, kStep>(stage.g, g + first, hidden, 1, hidden - first);
  }
  __pipeline_commit();
}
