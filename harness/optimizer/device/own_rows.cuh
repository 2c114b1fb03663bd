// Rows of scores that a warp has of its own.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/copy_sixteen.cuh"
#include "optimizer/device/lanes.cuh"

constexpr float kLog2e = 1.44269504f;
// What a running maximum begins with: the product of it and kLog2e is a float, so that whatever is less stays
// one.
constexpr float kLeastMaximum = -1.7e38f;
// 2 to the power of value. What is rounded to half next has no use for more digits.
__device__ inline float exp_two(float value) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(value));
  return power;
}
// A thread begins to copy 16 bytes, of whose elements `inside` are there; `together`: where that can be done
// at once.
template <class T>
__device__ inline void copy_piece(T* to, const T* from, int inside, bool together) {
  if (together) {
    copy_sixteen(to, from, inside > 0);
    return;
  }
  for (int i = 0; i < static_cast<int>(16 / sizeof(T)); ++i)
    to[i] = from_float<T>(i < inside ? to_float(from[i]) : 0.0f);
}
// Of one of a lane's two rows, `low`, in fragments of scores: those of keys from `inside` on are left out.
template <int kParts>
__device__ inline void leave_out(float (&scores)[kParts][4], int low, int inside) {
  if (inside >= 8 * kParts) return;
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i)
    if (i / 2 * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2 >= inside)
      scores[i / 2][2 * low + i % 2] = -INFINITY;
}
// The largest of them and `least`, in all four lanes that share the row.
template <int kParts>
__device__ inline float row_maximum(const float (&scores)[kParts][4], int low, float least) {
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) least = fmaxf(least, scores[i / 2][2 * low + i % 2]);
  return max_of_lanes<4>(least);
}
// Each becomes exp(itself - most).
template <int kParts>
__device__ inline void row_exponents(float (&scores)[kParts][4], int low, float most) {
  const float less = most * kLog2e;
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i)
    scores[i / 2][2 * low + i % 2] = exp_two(scores[i / 2][2 * low + i % 2] * kLog2e - less);
}
template <int kParts>
__device__ inline float row_sum(const float (&scores)[kParts][4], int low) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) sum += scores[i / 2][2 * low + i % 2];
  return sum;
}
template <int kParts>
__device__ inline void scale_row(float (&sums)[kParts][4], int low, float factor) {
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) sums[i / 2][2 * low + i % 2] *= factor;
}
