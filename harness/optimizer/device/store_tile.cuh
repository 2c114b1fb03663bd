// A block's tile to memory.
#pragma once

#include "optimizer/device/tiles.cuh"

// A block stores a tile: `rows` and `columns` of it are inside the matrix, whose rows are `stride` apart. A
// thread 16 bytes at once, where rows begin at multiples of these.
template <int kThreads, int kRows, int kColumns, class T, class Stride>
__device__ inline void store_tile(T* to, const T* from, Stride stride, int rows, int columns) {
  constexpr int kPiece = 16 / sizeof(T);
  if (stride % kPiece == 0 && columns % kPiece == 0) {
#pragma unroll 4
    for (int i = threadIdx.x; i < kRows * kColumns / kPiece; i += kThreads) {
      const int row = i / (kColumns / kPiece), column = i % (kColumns / kPiece) * kPiece;
      if (row < rows && column < columns)
        *reinterpret_cast<uint4*>(to + row * stride + column) =
            *reinterpret_cast<const uint4*>(from + row * (kColumns + kPad) + column);
    }
    return;
  }
  for (int i = threadIdx.x; i < kRows * kColumns; i += kThreads) {
    const int row = i / kColumns, column = i % kColumns;
    if (row < rows && column < columns) to[row * stride + column] = from[row * (kColumns + kPad) + column];
  }
}
