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
// Of fragments of scores, those of keys from `inside` on are left out.
template <int kDown, int kParts>
__device__ inline void leave_out(float (&scores)[kDown][kParts][4], int inside) {
#pragma unroll
  for (int i = 0; i < kDown * kParts * 4; ++i)
    if (i / 4 % kParts * 8 + static_cast<int>(threadIdx.x) % 4 * 2 + i % 2 >= inside)
      scores[i / (4 * kParts)][i / 4 % kParts][i % 4] = -INFINITY;
}
// Of one of a lane's two rows, `low`, in such fragments:
// The largest of them and `least`, in all four lanes that share the row. What does not wait for one another
// is compared, and added, side by side.
template <int kParts>
__device__ inline float row_maximum(const float (&scores)[kParts][4], int low, float least) {
  float most[4] = {least, least, least, least};
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) most[i % 4] = fmaxf(most[i % 4], scores[i / 2][2 * low + i % 2]);
  return max_of_lanes<4>(fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3])));
}
// Each becomes 2 to the power of (itself - most) * steep.
template <int kParts>
__device__ inline void row_powers(float (&scores)[kParts][4], int low, float most, float steep) {
  const float less = most * steep;
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i)
    scores[i / 2][2 * low + i % 2] = exp_two(scores[i / 2][2 * low + i % 2] * steep - less);
}
template <int kParts>
__device__ inline float row_sum(const float (&scores)[kParts][4], int low) {
  float sums[4] = {};
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) sums[i % 4] += scores[i / 2][2 * low + i % 2];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
template <int kParts>
__device__ inline void scale_row(float (&sums)[kParts][4], int low, float factor) {
#pragma unroll
  for (int i = 0; i < 2 * kParts; ++i) sums[i / 2][2 * low + i % 2] *= factor;
}
