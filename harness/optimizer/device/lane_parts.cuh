// Sums that a grid left in parts, where a warp wants them.
#pragma once

#include "optimizer/device/warp_sums.cuh"

// The same where a whole warp wants it: each lane takes some of the parts.
template <class Stride>
__device__ inline float lanes_sum_of_parts(const float* parts, Stride stride, int count) {
  float sum = 0.0f;
  for (int i = threadIdx.x % 32; i < count; i += 32) sum += parts[i * stride];
  return warp_sum(sum);
}
template <class Stride>
__device__ inline float lanes_largest_part(const float* parts, Stride stride, int count) {
  float most = -INFINITY;
  for (int i = threadIdx.x % 32; i < count; i += 32) most = fmaxf(most, parts[i * stride]);
  return warp_max(most);
}
template <class Stride, class MaximaStride>
__device__ inline float lanes_joined_parts(const float* parts, Stride stride, const float* maxima,
                                           MaximaStride maxima_stride, int count) {
  const float most = lanes_largest_part(maxima, maxima_stride, count);
  float sum = 0.0f;
  for (int i = threadIdx.x % 32; i < count; i += 32)
    sum += parts[i * stride] * expf(maxima[i * maxima_stride] - most);
  return warp_sum(sum);
}
