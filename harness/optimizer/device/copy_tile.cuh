// Copies of tiles.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/copy_sixteen.cuh"
#include "optimizer/device/tiles.cuh"

// kTogether threads, a warp or a block, begin to copy a tile of kRows x kColumns elements from a matrix whose
// rows are `stride` apart; `rows` and `columns` of it are inside the matrix, and zeros come for the rest.
// Where rows begin at multiples of 16 bytes a thread copies so many at once, and nobody waits; elsewhere
// elements go one by one. kWhole: the caller knows that rows begin so, and that all of the tile is inside.
template <int kTogether, int kRows, int kColumns, bool kWhole = false, class T, class Stride>
__device__ inline void copy_tile(T* to, const T* from, Stride stride, int rows, int columns) {
  const int lane = threadIdx.x % kTogether;
  constexpr int kPiece = 16 / sizeof(T);
  if constexpr (!kWhole)
    if (stride % kPiece != 0 || columns % kPiece != 0) {
#pragma unroll 1
      for (int i = lane; i < kRows * kColumns; i += kTogether) {
        const int row = i / kColumns, column = i % kColumns;
        to[row * (kColumns + kPad) + column] =
            row < rows && column < columns ? from[row * stride + column] : from_float<T>(0.0f);
      }
      return;
    }
  // Eight lanes write at a time: 128 bytes of a row, or parts of rows that lie in different banks. Where
  // rows have a power of two of pieces, a thread's next piece is that of a row kApart below.
  constexpr int kPieces = kColumns / kPiece, kWide = kPieces > 8 ? 8 : kPieces;
  constexpr bool kLong = kPieces >= 8;
  constexpr int kTurns = (kRows * kPieces + kTogether - 1) / kTogether;
  constexpr bool kBelow = kTogether % kPieces == 0 && 8 % kWide == 0;
  constexpr int kApart = kBelow ? kTogether / kPieces : 0;
  const auto row_of = [](int i) {
    return kPieces > 8 ? i / kPieces : i / (8 * kWide) * 8 + i / 8 % kWide + i % 8 / kWide * kWide;
  };
  const int first_row = row_of(lane), first_column = lane % kPieces * kPiece;
  T* const first = to + first_row * (kColumns + kPad) + first_column;
  const T* const source = from + first_row * stride + first_column;
#pragma unroll
  for (int turn = 0; turn < kTurns; ++turn) {
    if (kRows * kPieces % kTogether != 0 && lane + turn * kTogether >= kRows * kPieces) break;
    if constexpr (kBelow) {
      const bool inside = kWhole || (first_row + turn * kApart < rows && first_column < columns);
      copy_sixteen<kLong>(first + turn * kApart * (kColumns + kPad),
                          inside ? source + turn * kApart * stride : from, inside);
    } else {
      const int i = lane + turn * kTogether, row = row_of(i), column = i % kPieces * kPiece;
      const bool inside = kWhole || (row < rows && column < columns);
      copy_sixteen<kLong>(to + row * (kColumns + kPad) + column, inside ? from + row * stride + column : from,
                          inside);
    }
  }
}
