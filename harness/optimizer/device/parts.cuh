// Sums that a grid left in parts.
#pragma once

// What a grid left in `count` parts, `stride` apart: their sum; their maximum; their sum where each is
// relative to a maximum of its own, relative to the largest.
template <class Stride>
__device__ inline float sum_of_parts(const float* parts, Stride stride, int count) {
  float sum = 0.0f;
#pragma unroll 32
  for (int i = 0; i < count; ++i) sum += parts[i * stride];
  return sum;
}
template <class Stride>
__device__ inline float largest_part(const float* parts, Stride stride, int count) {
  float most = parts[0];
#pragma unroll 32
  for (int i = 1; i < count; ++i) most = fmaxf(most, parts[i * stride]);
  return most;
}
template <class Stride, class MaximaStride>
__device__ inline float joined_parts(const float* parts, Stride stride, const float* maxima,
                                     MaximaStride maxima_stride, int count) {
  const float most = largest_part(maxima, maxima_stride, count);
  float sum = 0.0f;
#pragma unroll 32
  for (int i = 0; i < count; ++i) sum += parts[i * stride] * expf(maxima[i * maxima_stride] - most);
  return sum;
}
