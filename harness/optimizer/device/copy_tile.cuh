// Copies of tiles.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/tiles.cuh"

// kTogether threads, a warp or a block, begin to copy a tile of kRows x kColumns elements from a matrix whose
// rows are `stride` apart; `rows` and `columns` of it are inside the matrix, and zeros come for the rest.
// Where rows begin at multiples of 16 bytes a thread copies so many at once, and nobody waits; elsewhere
// elements go one by one.
template <int kTogether, int kRows, int kColumns, class T, class Stride>
__device__ inline void copy_tile(T* to, const T* from, Stride stride, int rows, int columns) {
  const int lane = threadIdx.x % kTogether;
  constexpr int kPiece = 16 / sizeof(T);
  if (stride % kPiece == 0 && columns % kPiece == 0) {
    // Eight lanes write at a time: 128 bytes of a row, or parts of rows that lie in different banks.
    constexpr int kPieces = kColumns / kPiece, kWide = kPieces > 8 ? 8 : kPieces;
#pragma unroll
    for (int i = lane; i < kRows * kPieces; i += kTogether) {
      const int row = kPieces > 8 ? i / kPieces : i / (8 * kWide) * 8 + i / 8 % kWide + i % 8 / kWide * kWide;
      const int column = i % kPieces * kPiece;
      const bool inside = row < rows && column < columns;
      __pipeline_memcpy_async(to + row * (kColumns + kPad) + column,
                              from + (inside ? row * stride + column : 0), 16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
  } else {
    for (int i = lane; i < kRows * kColumns; i += kTogether) {
      const int row = i / kColumns, column = i % kColumns;
      to[row * (kColumns + kPad) + column] =
          row < rows && column < columns ? from[row * stride + column] : from_float<T>(0.0f);
    }
  }
}
