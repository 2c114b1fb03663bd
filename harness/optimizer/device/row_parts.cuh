// Rows that a grid left in parts.
#pragma once

#include "optimizer/device/lane_parts.cuh"
#include "optimizer/device/rows.cuh"

// Rows in parts. Behind the row's end its last elements are loaded again: where no load stands behind a
// condition, those of several parts are on their way together.
template <int kThreads, int kVector, int kElements>
__device__ inline void add_row(float (&values)[kElements], const float* row, float factor, int size) {
#pragma unroll
  for (int e = 0; e < kElements; e += kVector) {
    const int place = place_of<kThreads, kVector>(e);
    if (size % kVector == 0) {
      const auto pack = *reinterpret_cast<const Pack<float, kVector>*>(row + min(place, size - kVector));
#pragma unroll
      for (int v = 0; v < kVector; ++v) values[e + v] += pack.values[v] * factor;
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v) values[e + v] += row[min(place + v, size - 1)] * factor;
    }
  }
}
template <int kThreads, int kVector, int kElements>
__device__ inline void clear_outside(float (&values)[kElements], int size) {
  for (int e = 0; e < kElements; ++e)
    if (place_of<kThreads, kVector>(e) >= size) values[e] = 0.0f;
}
template <int kThreads, int kVector, int kElements, class Stride>
__device__ inline void load_row_of_parts(float (&values)[kElements], const float* row, Stride stride,
                                         int count, int size) {
  for (int e = 0; e < kElements; ++e) values[e] = 0.0f;
  constexpr int kTogether = kElements <= 8 ? 8 : 1;
#pragma unroll kTogether
  for (int i = 0; i < count; ++i) add_row<kThreads, kVector>(values, row + i * stride, 1.0f, size);
  clear_outside<kThreads, kVector>(values, size);
}
template <int kThreads, int kVector, int kElements, class Stride, class MaximaStride>
__device__ inline void join_row_of_parts(float (&values)[kElements], const float* row, Stride stride,
                                         const float* maxima, MaximaStride maxima_stride, int count,
                                         int size) {
  const float most = lanes_largest_part(maxima, maxima_stride, count);
  for (int e = 0; e < kElements; ++e) values[e] = 0.0f;
  constexpr int kTogether = kElements <= 8 ? 8 : 1;
#pragma unroll kTogether
  for (int i = 0; i < count; ++i)
    add_row<kThreads, kVector>(values, row + i * stride, expf(maxima[i * maxima_stride] - most), size);
  clear_outside<kThreads, kVector>(values, size);
}
