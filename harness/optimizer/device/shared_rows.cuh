// Rows that several warps share: their fragments, and shares of lanes.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/fragments.cuh"

// Of 16 rows in shared memory: their fragments; to such, fragments that are kBeside apart.
template <int kParts>
__device__ inline void load_rows(LeftFragment (&parts)[kParts], const Half* from, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part) wmma::load_matrix_sync(parts[part], from + 16 * part, stride);
}
template <int kBeside, int kParts>
__device__ inline void store_sums(float* to, const SumFragment (&sums)[kParts], int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    wmma::store_matrix_sync(to + 16 * kBeside * part, sums[part], stride, wmma::mem_row_major);
}
// Each row times its number, which its first 16 elements in shared memory hold: so a lane has the factor of
// each of its elements, whichever these are.
template <int kParts>
__device__ inline void scale_rows(SumFragment (&sums)[kParts], const float* factors, int stride) {
  SumFragment factor;
  wmma::load_matrix_sync(factor, factors, stride, wmma::mem_row_major);
#pragma unroll
  for (SumFragment& sum : sums)
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= factor.x[i];
}

// Of kOwn elements of a row that are a lane's the number i: four (or two, where that is all) are of the first
// of these lanes, as many of the second, and so on, and again. So lanes move them at once, in different
// banks.
template <int kLanes, int kOwn>
__device__ inline int key_of(int i) {
  constexpr int kAtOnce = kOwn < 4 ? kOwn : 4;
  return (i / kAtOnce * kLanes + static_cast<int>(threadIdx.x) % kLanes) * kAtOnce + i % kAtOnce;
}
template <class T, int kOwn>
struct alignas(sizeof(T) * (kOwn < 4 ? kOwn : 4)) AtOnce {
  T at[kOwn < 4 ? kOwn : 4];
};
template <int kLanes, int kOwn>
__device__ inline void load_own(float (&own)[kOwn], const float* row) {
  constexpr int kAtOnce = kOwn < 4 ? kOwn : 4;
#pragma unroll
  for (int i = 0; i < kOwn; i += kAtOnce) {
    const auto some = *reinterpret_cast<const AtOnce<float, kOwn>*>(row + key_of<kLanes, kOwn>(i));
    for (int j = 0; j < kAtOnce; ++j) own[i + j] = some.at[j];
  }
}
template <int kLanes, int kOwn>
__device__ inline void store_own(Half* row, const float (&own)[kOwn]) {
  constexpr int kAtOnce = kOwn < 4 ? kOwn : 4;
#pragma unroll
  for (int i = 0; i < kOwn; i += kAtOnce) {
    AtOnce<Half, kOwn> some;
    for (int j = 0; j < kAtOnce; ++j) some.at[j] = from_float<Half>(own[i + j]);
    *reinterpret_cast<AtOnce<Half, kOwn>*>(row + key_of<kLanes, kOwn>(i)) = some;
  }
}
// exp(value - most) of each; returns their sum. What is rounded to half next has no use for more digits.
template <int kOwn>
__device__ inline float exp_less(float (&own)[kOwn], float most) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) {
    own[i] = __expf(own[i] - most);
    sum += own[i];
  }
  return sum;
}
// The same number into the first 16 elements of the row, by whom they are of.
template <int kLanes, int kOwn>
__device__ inline void fill_row(float* row, float value) {
  constexpr int kAtOnce = kOwn < 4 ? kOwn : 4;
  AtOnce<float, kOwn> same;
  for (float& each : same.at) each = value;
#pragma unroll
  for (int i = 0; i * kLanes < 16; i += kAtOnce)
    if (key_of<kLanes, kOwn>(i) < 16)
      *reinterpret_cast<AtOnce<float, kOwn>*>(row + key_of<kLanes, kOwn>(i)) = same;
}
