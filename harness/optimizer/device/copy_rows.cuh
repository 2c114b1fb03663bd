// Copies of rows that lie one behind the other.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/half.cuh"
#include "optimizer/device/tiles.cuh"

// A block begins to copy kRows rows of `width` elements, one behind the other: `rows` of them are there, and
// zeros come for other rows, and up to kWidth. A thread eight elements, where rows begin at multiples of 16
// bytes; elsewhere a warp copies those of the same rows one by one.
template <int kThreads, int kRows, int kWidth>
__device__ inline void copy_rows(Half* to, const Half* from, int rows, int width) {
  if (width % 8 == 0) {
#pragma unroll
    for (int i = threadIdx.x; i < kRows * kWidth / 8; i += kThreads) {
      const int row = i * 8 / kWidth, column = i * 8 % kWidth;
      const bool inside = row < rows && column < width;
      __pipeline_memcpy_async(to + row * (kWidth + kPad) + column, from + (inside ? row * width + column : 0),
                              16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
    return;
  }
  for (int i = threadIdx.x; i < kRows * kWidth / 8; i += kThreads)
    for (int j = 0; j < 8; ++j) {
      const int at = i / 32 * 256 + j * 32 + i % 32, row = at / kWidth, column = at % kWidth;
      to[row * (kWidth + kPad) + column] =
          row < rows && column < width ? from[row * width + column] : from_float<Half>(0.0f);
    }
}
