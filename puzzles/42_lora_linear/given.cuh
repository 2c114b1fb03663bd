// Puzzle 42, what the learner is handed: the product that --unfused launches three times; for --tensor the
// shared memory of a warp and the copies into it.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>

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

// --tensor: tiles of 16 x 16 elements that the 32 lanes of a warp hold together (Puzzle 41). Which lane holds
// what is not said: whole warps load, multiply and store them.
namespace wmma = nvcuda::wmma;
using LeftFragment = wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, half, wmma::row_major>;
using RightFragment = wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, half, wmma::row_major>;
using SumFragment = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;
constexpr int kAcross = kColumns / kFragment;  // fragments of w side by side; behind them stands the one of a

// Elements from one row of a tile in shared memory to the next. The 8 at the end of a row hold nothing: they
// move the next row on, so that the rows of a fragment do not meet in the same banks.
constexpr int kXPitch = kStep + 8;
constexpr int kPitch = kColumns + kFragment + 8;
constexpr int kUPitch = kColumns + 8;
constexpr int kLowPitch = kFragment + 8;

// What a warp needs for one step: kStep elements of 16 rows of x, and as many rows of w and a, of which each
// row has kColumns elements of w and behind them kFragment of a.
struct Stage {
  half x[kFragment][kXPitch];
  half wa[kStep][kPitch];
};

// What a warp has when nothing is to be multiplied by x any more: its sums, in each row kColumns of y and
// behind them kFragment of x a; and the same x a as half.
struct WarpSums {
  float sums[kFragment][kPitch];
  half low[kFragment][kLowPitch];
};

// The shared memory of a warp: a ring of stages, and then its sums.
union Ring {
  Stage stages[kStages];
  WarpSums end;
};
// The block's columns of u, which all warps need once.
using UTile = half[kFragment][kUPitch];
// load_matrix_sync and store_matrix_sync ask for addresses that are multiples of 32 bytes.
static_assert(sizeof(Stage) % 32 == 0 && sizeof(Ring) % 32 == 0, "each stage begins at a multiple of 32");
static_assert(offsetof(Stage, wa) % 32 == 0 && offsetof(WarpSums, low) % 32 == 0, "and so does each tile");

// Begins to copy a tile of kRows x kColumnsOfTile elements to `to`, where rows lie `pitch` apart, from row
// first_row and column first_column of a matrix [rows, columns] on; zeros for what is outside. This is done
// by `threads` threads together, of which this one is `thread`. Where rows of the matrix begin at multiples
// of 16 bytes a thread copies 8 elements at once, all inside or all outside, and nobody waits. Where they do
// not, they go one by one, by way of a register.
template <int kRows, int kColumnsOfTile>
__device__ inline void copy_tile(half* to, int pitch, const half* matrix, int first_row, int first_column,
                                 int rows, int columns, int thread, int threads) {
  if (columns % 8 == 0) {
    // Eight lanes write at a time. They take a row of 64 elements; in tiles of shorter rows they take eight
    // rows, which the 8 elements at the end put into different banks.
    constexpr int kPieces = kColumnsOfTile / 8;
#pragma unroll 2  // two rounds at a time: at h 4096 an H200 took 7 % less than with one
    for (int i = thread; i < kRows * kPieces; i += threads) {
      const int r = kPieces < 8 ? i % kRows : i / kPieces;
      const int c = 8 * (kPieces < 8 ? i / kRows : i % kPieces);
      const int row = first_row + r, column = first_column + c;
      const bool inside = row < rows && column < columns;
      __pipeline_memcpy_async(to + r * pitch + c, inside ? matrix + row * columns + column : matrix, 16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
  } else {
    for (int i = thread; i < kRows * kColumnsOfTile; i += threads) {
      const int r = i / kColumnsOfTile, c = i % kColumnsOfTile;
      const int row = first_row + r, column = first_column + c;
      to[r * pitch + c] = row < rows && column < columns ? matrix[row * columns + column] : to_half(0.0f);
    }
  }
}

// A warp begins to copy what step `step` needs, as one group of copies of each lane: x of this block's rows,
// w of its columns, and all of a's. A step behind the last is a group of nothing, so that each has its group.
__device__ inline void fetch(Stage& to, const half* x, const half* w, const half* a, int rows, int hidden,
                             int outputs, int rank, int step) {
  const int lane = threadIdx.x % 32, first_h = step * kStep;
  if (first_h < hidden) {
    copy_tile<kStep, kColumns>(&to.wa[0][0], kPitch, w, first_h, blockIdx.x * kColumns, hidden, outputs, lane,
                               32);
    copy_tile<kStep, kFragment>(&to.wa[0][kColumns], kPitch, a, first_h, 0, hidden, rank, lane, 32);
    copy_tile<kFragment, kStep>(&to.x[0][0], kXPitch, x, blockIdx.y * kFragment, first_h, rows, hidden, lane,
                                32);
  }
  __pipeline_commit();
}

// All threads of a block begin to copy its columns of u. These copies belong to each lane's first group.
__device__ inline void fetch_u(UTile& to, const half* u, int outputs, int rank) {
  copy_tile<kFragment, kColumns>(&to[0][0], kUPitch, u, 0, blockIdx.x * kColumns, rank, outputs, threadIdx.x,
                                 blockDim.x);
}

// end.low = the x a in end.sums, rounded. The lanes of a warp share its elements: what they read, other lanes
// have stored, and what they store, other lanes will read. 32 lanes take 4 rows of 8 elements at a time,
// which lie in different banks.
__device__ inline void round_low(WarpSums& end) {
  for (int i = threadIdx.x % 32; i < kFragment * kFragment; i += 32) {
    const int r = i / 8 % kFragment, c = i / (8 * kFragment) * 8 + i % 8;
    end.low[r][c] = to_half(end.sums[r][kColumns + c]);
  }
}
