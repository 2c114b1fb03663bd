// What kernels of path tensor_attention call besides, as text: rows of a tile, a row of scores that lanes
// share.
#include "optimizer/emit_text.h"

namespace workbook::opt {
namespace {

constexpr const char* kRows = R"(
// A block begins to copy kRows rows of `width` elements, one behind the other: `rows` of them are there, and zeros come
// for other rows, and up to kWidth. A thread eight elements, where rows begin at multiples of 16 bytes; elsewhere a
// warp copies those of the same rows one by one.
template <int kThreads, int kRows, int kWidth>
__device__ inline void copy_rows(half* to, const half* from, int rows, int width) {
  if (width % 8 == 0) {
#pragma unroll
    for (int i = threadIdx.x; i < kRows * kWidth / 8; i += kThreads) {
      const int row = i * 8 / kWidth, column = i * 8 % kWidth;
      const bool inside = row < rows && column < width;
      __pipeline_memcpy_async(to + row * (kWidth + kPad) + column, from + (inside ? row * width + column : 0), 16,
                              inside ? 0 : 16);  // the last is how many bytes become zero
    }
    return;
  }
  for (int i = threadIdx.x; i < kRows * kWidth / 8; i += kThreads)
    for (int j = 0; j < 8; ++j) {
      const int at = i / 32 * 256 + j * 32 + i % 32, row = at / kWidth, column = at % kWidth;
      to[row * (kWidth + kPad) + column] =
          row < rows && column < width ? from[row * width + column] : from_float<half>(0.0f);
    }
}
// Of 16 rows in shared memory: their fragments; to such, fragments that are kBeside apart.
template <int kParts>
__device__ inline void load_rows(LeftFragment (&parts)[kParts], const half* from, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part) wmma::load_matrix_sync(parts[part], from + 16 * part, stride);
}
template <int kBeside, int kParts>
__device__ inline void store_sums(float* to, const SumFragment (&sums)[kParts], int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    wmma::store_matrix_sync(to + 16 * kBeside * part, sums[part], stride, wmma::mem_row_major);
}
// Each row times its number, which its first 16 elements in shared memory hold: so a lane has the factor of each of
// its elements, whichever these are.
template <int kParts>
__device__ inline void scale_rows(SumFragment (&sums)[kParts], const float* factors, int stride) {
  SumFragment factor;
  wmma::load_matrix_sync(factor, factors, stride, wmma::mem_row_major);
#pragma unroll
  for (SumFragment& sum : sums)
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= factor.x[i];
}
)";

constexpr const char* kLanes = R"(
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
// Of kOwn elements of a row that are a lane's the number i: four (or two, where that is all) are of the first of these
// lanes, as many of the second, and so on, and again. So lanes move them at once, in different banks.
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
__device__ inline void store_own(half* row, const float (&own)[kOwn]) {
  constexpr int kAtOnce = kOwn < 4 ? kOwn : 4;
#pragma unroll
  for (int i = 0; i < kOwn; i += kAtOnce) {
    AtOnce<half, kOwn> some;
    for (int j = 0; j < kAtOnce; ++j) some.at[j] = from_float<half>(own[i + j]);
    *reinterpret_cast<AtOnce<half, kOwn>*>(row + key_of<kLanes, kOwn>(i)) = some;
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
    if (key_of<kLanes, kOwn>(i) < 16) *reinterpret_cast<AtOnce<float, kOwn>*>(row + key_of<kLanes, kOwn>(i)) = same;
}
)";

}  // namespace

std::string attention_functions() { return std::string(kRows) + kLanes; }

}  // namespace workbook::opt
