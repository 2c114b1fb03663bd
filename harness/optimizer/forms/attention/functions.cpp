// What kernels of path tensor_attention call besides, as text: rows of a tile, a row of scores that lanes
// share.
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kCopies = R"(
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
)";

constexpr const char* kFragments = R"(
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
)";

constexpr const char* kShares = R"(
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

constexpr const char* kOwnRows = R"(
constexpr float kLog2e = 1.44269504f;
// What a running maximum begins with: the product of it and kLog2e is a float, so that whatever is less stays one.
constexpr float kLeastMaximum = -1.7e38f;
// 2 to the power of value. What is rounded to half next has no use for more digits.
__device__ inline float exp_two(float value) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(value));
  return power;
}
// A thread begins to copy 16 bytes, of whose elements `inside` are there; `together`: where that can be done at once.
template <class T>
__device__ inline void copy_piece(T* to, const T* from, int inside, bool together) {
  if (together) {
    __pipeline_memcpy_async(to, from, 16, inside > 0 ? 0 : 16);
    return;
  }
  for (int i = 0; i < static_cast<int>(16 / sizeof(T)); ++i) to[i] = from_float<T>(i < inside ? to_float(from[i]) : 0.0f);
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
)";

}  // namespace

std::string row_copies() { return kCopies; }
std::string lane_functions() { return kLanes; }
std::string shared_row_functions() { return std::string(kFragments) + kShares; }
std::string own_row_functions() { return kOwnRows; }

}  // namespace workbook::opt
