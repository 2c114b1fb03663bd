// Sums and maxima over lanes that share a row.
#pragma once

// kLanes neighbours share a row: the maximum of their values, and the sum, in all of them.
template <int kLanes>
__device__ inline float max_of_lanes(float value) {
  for (int offset = kLanes / 2; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
template <int kLanes>
__device__ inline float sum_of_lanes(float value) {
  for (int offset = kLanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
