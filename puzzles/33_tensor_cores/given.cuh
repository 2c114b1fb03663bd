// Puzzle 33, what the learner is handed beside mma.cuh: tiles in shared memory, the copies into them, and the
// way of a sum to global memory.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>
#include <type_traits>

#include "mma.cuh"
#include "sizes.h"

// A layout says how many pieces lie between the beginnings of two rows of a tile (kPitch), and where in its
// row piece p of row r lies (place).
// Rows a piece longer: each begins four banks further than the one above.
struct Padded {
  static constexpr int kPitch = kPieces + 1;
  __device__ static int place(int, int piece) { return piece; }
};

// kRows rows of a or b, kStepBytes of each.
template <class Layout, int kRows>
struct Tile {
  uint4 pieces[kRows * Layout::kPitch];

  __device__ uint4* piece(int row, int p) { return pieces + row * Layout::kPitch + Layout::place(row, p); }
  __device__ const uint4* piece(int row, int p) const {
    return pieces + row * Layout::kPitch + Layout::place(row, p);
  }
  // Word w of a row: 4 bytes.
  __device__ unsigned word(int row, int w) const {
    return reinterpret_cast<const unsigned*>(piece(row, w / 4))[w % 4];
  }
};

// What a block needs for one step.
template <class Layout>
struct Stage {
  Tile<Layout, kBlockRows> a;
  Tile<Layout, kBlockColumns> b;
};

// Begins to copy rows first_row and on of `from`, [rows, inner], as many as the tile has, kStep<T> elements
// from first_k on. Elements past `inner` become 0. Rows past `rows` get the last row once more: no sum of
// theirs is stored, and a copy need not ask. All threads of the block call it. Where rows do not begin at
// multiples of 16 bytes it copies element by element, and waits for that.
template <class T, class Layout, int kRows>
__device__ inline void fetch_tile(Tile<Layout, kRows>& tile, const T* from, int first_row, int rows,
                                  int first_k, int inner) {
  constexpr int kInPiece = kPieceBytes / static_cast<int>(sizeof(T));
  if (inner % kInPiece == 0) {
    // Eight lanes take the 128 bytes of a row: a line of global memory, and all 32 banks.
    constexpr int kAtOnce = kThreads / kPieces;
    const int p = threadIdx.x % kPieces, k = first_k + p * kInPiece;
    if (k < inner) {
#pragma unroll
      for (int first = 0; first < kRows; first += kAtOnce) {
        const int r = first + static_cast<int>(threadIdx.x) / kPieces, row = min(first_row + r, rows - 1);
        __pipeline_memcpy_async(tile.piece(r, p), from + row * inner + k, kPieceBytes);
      }
    } else {
      for (int r = threadIdx.x / kPieces; r < kRows; r += kAtOnce) *tile.piece(r, p) = make_uint4(0, 0, 0, 0);
    }
  } else {
    for (int i = threadIdx.x; i < kRows * kStep<T>; i += kThreads) {
      const int r = i / kStep<T>, x = i % kStep<T>;
      const bool inside = first_row + r < rows && first_k + x < inner;
      reinterpret_cast<T*>(tile.piece(r, x / kInPiece))[x % kInPiece] =
          inside ? from[(first_row + r) * inner + first_k + x] : T(0.0f);
    }
  }
}

// A product that a block has a part of: c = a b^T. a [rows, inner], b [columns, inner], c [rows, columns].
template <class T>
struct Product {
  float* c;
  const T *a, *b;
  int rows, columns, inner;

  __device__ int first_row() const { return static_cast<int>(blockIdx.y) * kBlockRows; }
  __device__ int first_column() const { return static_cast<int>(blockIdx.x) * kBlockColumns; }
  __device__ int steps() const { return (inner + kStep<T> - 1) / kStep<T>; }
};

// Begins to copy what step `step` needs, and commits it as one group of copies of this thread; past the last
// step a group of nothing.
template <class T, class Layout>
__device__ inline void fetch(Stage<Layout>& to, const Product<T>& product, int step) {
  if (step < product.steps()) {
    fetch_tile(to.a, product.a, product.first_row(), product.rows, step * kStep<T>, product.inner);
    fetch_tile(to.b, product.b, product.first_column(), product.columns, step * kStep<T>, product.inner);
  }
  __pipeline_commit();
}

// Stores two sums side by side, from (row, column) on, where c has such elements.
template <class T>
__device__ inline void store_two(const Product<T>& product, int row, int column, float first, float second) {
  float* to = product.c + row * product.columns + column;
  if (row < product.rows && column + 1 < product.columns && product.columns % 2 == 0) {
    *reinterpret_cast<float2*>(to) = make_float2(first, second);
  } else if (row < product.rows) {
    if (column < product.columns) to[0] = first;
    if (column + 1 < product.columns) to[1] = second;
  }
}

// --wmma: tiles of 16 x 16 elements that the 32 lanes of a warp hold together. Which lane holds what is not
// said: whole warps load, multiply and store them.
namespace wmma = nvcuda::wmma;
constexpr int kFragment = 16;
using AFragment = wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, half, wmma::row_major>;
// Element (k, j) lies at [j][k] in memory: a row of b is a column here.
using BFragment = wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, half, wmma::col_major>;
using SumFragment = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;
// A warp's 64 x 64 sums.
using SumFragments = SumFragment[kWarpRows / kFragment][kWarpColumns / kFragment];

// Halfs between the beginnings of two rows of a padded tile.
constexpr int kPitchHalfs = Padded::kPitch * kPieceBytes / 2;

// The fragments of a warp, by way of shared memory, for nobody knows which lane has which row.
__device__ inline void store_fragments(const Product<half>& product, SumFragments& sums, void* memory,
                                       int warp_row, int warp_column) {
  // Rows that begin 24 banks apart: no conflict for lanes that store 8 words of each of four rows, and none
  // for lanes that read 16 words of rows r and r + 2.
  constexpr int kPatchPitch = kFragment + 8;
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  float* patch = static_cast<float*>(memory) + warp * kFragment * kPatchPitch;
#pragma unroll
  for (int m = 0; m < kWarpRows / kFragment; ++m)
#pragma unroll
    for (int n = 0; n < kWarpColumns / kFragment; ++n) {
      wmma::store_matrix_sync(patch, sums[m][n], kPatchPitch, wmma::mem_row_major);
      __syncwarp();
      for (int i = lane; i < kFragment * kFragment / 2; i += kWarpSize) {
        const int r = i / 32 * 4 + i / 8 % 2 * 2 + i / 16 % 2, x = i % 8 * 2;
        const float2 two = *reinterpret_cast<const float2*>(patch + r * kPatchPitch + x);
        store_two(product, product.first_row() + warp_row + m * kFragment + r,
                  product.first_column() + warp_column + n * kFragment + x, two.x, two.y);
      }
      __syncwarp();
    }
}
