// Puzzle 43, what the learner is handed: the tiled product of Puzzle 16 for half; for --tensor the ring of
// stages in shared memory and the copies into it.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>

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

// --tensor: tiles of 16 x 16 elements that the 32 lanes of a warp hold together. Which lane holds what is not
// said: whole warps load, multiply and store them.
namespace wmma = nvcuda::wmma;
using XFragment = wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, half, wmma::row_major>;
using MatrixFragment = wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, half, wmma::row_major>;
using SumFragment = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;
constexpr int kFragments = kColumns / kFragment;  // side by side, of each matrix

// Elements from one row of a tile in shared memory to the next. The 8 at the end of a row hold nothing: they
// move the next row on by four banks, so that the rows of a fragment do not meet in the same ones.
constexpr int kXPitch = kStep + 8;
constexpr int kPitch = 2 * kColumns + 8;

// What a warp needs for one step: kStep elements of 16 rows of x, and as many rows of u and w, of which each
// row has kColumns elements of u and behind them kColumns of w.
struct Stage {
  half x[kFragment][kXPitch];
  half uw[kStep][kPitch];
};

// The shared memory of a warp: a ring of stages, and when nothing is to be multiplied any more the warp's
// sums, in each row kColumns of the gate and behind them kColumns of what it lets through.
union Ring {
  Stage stages[kStages];
  float sums[kFragment][kPitch];
};
// load_matrix_sync and store_matrix_sync ask for addresses that are multiples of 32 bytes.
static_assert(sizeof(Stage) % 32 == 0 && sizeof(Ring) % 32 == 0 && offsetof(Stage, uw) % 32 == 0);

// Begins to copy 8 elements of row `row` of a matrix [rows, columns] to `to`, from `column` on; zeros for
// those outside. Only for matrices whose rows begin at multiples of 16 bytes: 8 elements are all inside, or
// none.
__device__ inline void copy_8(half* to, const half* matrix, int row, int column, int rows, int columns) {
  const bool inside = row < rows && column < columns;
  __pipeline_memcpy_async(to, inside ? matrix + row * columns + column : matrix, 16, inside ? 0 : 16);
}
__device__ inline half element_or_zero(const half* matrix, int row, int column, int rows, int columns) {
  return row < rows && column < columns ? matrix[row * columns + column] : to_half(0.0f);
}

// Begins to copy what step `step` needs of x, u and w, and commits it as one group of copies of this lane;
// past the last step a group of nothing. All lanes of a warp call it. Where rows of a matrix do not begin at
// multiples of 16 bytes it copies element by element, and waits for that.
__device__ inline void fetch(Stage& to, const half* x, const half* u, const half* w, int rows, int hidden,
                             int outputs, int first_row, int first_column, int step) {
  const int lane = threadIdx.x % 32, first_h = step * kStep;
  if (first_h < hidden) {
    // 8 lanes side by side fill the 128 bytes of a row, for u and w alike: no two of them need the same bank.
    if (outputs % 8 == 0) {
      for (int i = lane; i < kStep * 2 * kColumns / 8; i += 32) {
        const int k = i / (2 * kColumns / 8), place = i % (2 * kColumns / 8) * 8;
        copy_8(&to.uw[k][place], place < kColumns ? u : w, first_h + k, first_column + place % kColumns,
               hidden, outputs);
      }
    } else {
      for (int i = lane; i < kStep * 2 * kColumns; i += 32) {
        const int k = i / (2 * kColumns), place = i % (2 * kColumns);
        to.uw[k][place] = element_or_zero(place < kColumns ? u : w, first_h + k,
                                          first_column + place % kColumns, hidden, outputs);
      }
    }
    // A row of x has 64 bytes here, which 4 lanes side by side ask for, so that it is one request. The 4
    // behind them take the fourth row below, for its banks are those that the first does not fill.
    if (hidden % 8 == 0) {
      static_assert(kStep == 32 && kXPitch == 40, "rows r and r + 4 fill all banks");
      for (int i = lane; i < kFragment * kStep / 8; i += 32) {
        const int r = i / 32 * 8 + i / 4 % 2 * 4 + i / 8 % 4, place = i % 4 * 8;
        copy_8(&to.x[r][place], x, first_row + r, first_h + place, rows, hidden);
      }
    } else {
      for (int i = lane; i < kFragment * kStep; i += 32) {
        const int r = i / kStep, place = i % kStep;
        to.x[r][place] = element_or_zero(x, first_row + r, first_h + place, rows, hidden);
      }
    }
  }
  __pipeline_commit();
}
