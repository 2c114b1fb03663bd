// What emitted kernels call, as text, but for those of path tensor (forms/tensor/functions.cpp).
#include <cctype>

#include "optimizer/graph/unary.h"
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kConversions =
    R"(// Tensors in memory hold half, bfloat16 or float; what is computed is float.
template <class T>
__device__ inline float to_float(T value) {
  if constexpr (std::is_same_v<T, half>) return __half2float(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __bfloat162float(value);
  else return value;
}
template <class T>
__device__ inline T from_float(float value) {
  if constexpr (std::is_same_v<T, half>) return __float2half(value);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>) return __float2bfloat16(value);
  else return value;
}
)";

constexpr const char* kWarpSums = R"(
// The sum and the maximum over a warp, in every lane.
__device__ inline float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
__device__ inline float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}
)";

/// Of "sum" and "max": the same over a block.
std::string block_function(const char* what, const char* first, const char* join) {
  return fmt::format(R"(
template <int kThreads>
__device__ inline float block_{0}(float value) {{
  value = warp_{0}(value);
  if (kThreads == 32) return value;
  __shared__ float of_warps[kThreads / 32];
  __syncthreads();  // the warps' values of the last call have been read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  float all = {1};
  for (int i = 0; i < kThreads / 32; ++i) all = {2};
  return all;
}}
)",
                     what, first, join);
}

constexpr const char* kElementOf = R"(
// Which element of a tile is the thread's number j: kColumns of a row of kRow, then as many of further rows.
template <int kThreads, int kRow, int kColumns>
__device__ inline int element_of(int j) {
  constexpr int kLanes = kRow / kColumns;
  const int thread = threadIdx.x;
  return (thread / kLanes + j / kColumns * (kThreads / kLanes)) * kRow + thread % kLanes + j % kColumns * kLanes;
}
)";

constexpr const char* kParts = R"(
// What a grid left in `count` parts, `stride` apart: their sum; their maximum; their sum where each is relative to
// a maximum of its own, relative to the largest.
__device__ inline float sum_of_parts(const float* parts, int stride, int count) {
  float sum = 0.0f;
#pragma unroll 8
  for (int i = 0; i < count; ++i) sum += parts[i * stride];
  return sum;
}
__device__ inline float largest_part(const float* parts, int stride, int count) {
  float most = parts[0];
#pragma unroll 8
  for (int i = 1; i < count; ++i) most = fmaxf(most, parts[i * stride]);
  return most;
}
__device__ inline float joined_parts(const float* parts, int stride, const float* maxima, int maxima_stride,
                                     int count) {
  const float most = largest_part(maxima, maxima_stride, count);
  float sum = 0.0f;
#pragma unroll 8
  for (int i = 0; i < count; ++i) sum += parts[i * stride] * expf(maxima[i * maxima_stride] - most);
  return sum;
}
)";

constexpr const char* kLaneParts = R"(
// The same where a whole warp wants it: each lane takes some of the parts.
__device__ inline float lanes_sum_of_parts(const float* parts, int stride, int count) {
  float sum = 0.0f;
  for (int i = threadIdx.x % 32; i < count; i += 32) sum += parts[i * stride];
  return warp_sum(sum);
}
__device__ inline float lanes_largest_part(const float* parts, int stride, int count) {
  float most = -INFINITY;
  for (int i = threadIdx.x % 32; i < count; i += 32) most = fmaxf(most, parts[i * stride]);
  return warp_max(most);
}
__device__ inline float lanes_joined_parts(const float* parts, int stride, const float* maxima, int maxima_stride,
                                           int count) {
  const float most = lanes_largest_part(maxima, maxima_stride, count);
  float sum = 0.0f;
  for (int i = threadIdx.x % 32; i < count; i += 32) sum += parts[i * stride] * expf(maxima[i * maxima_stride] - most);
  return warp_sum(sum);
}
)";

constexpr const char* kRowParts = R"(
// Rows in parts. Behind the row's end its last elements are loaded again: where no load stands behind a condition, those
// of several parts are on their way together.
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
template <int kThreads, int kVector, int kElements>
__device__ inline void load_row_of_parts(float (&values)[kElements], const float* row, int stride, int count,
                                         int size) {
  for (int e = 0; e < kElements; ++e) values[e] = 0.0f;
  constexpr int kTogether = kElements <= 8 ? 8 : 1;
#pragma unroll kTogether
  for (int i = 0; i < count; ++i) add_row<kThreads, kVector>(values, row + i * stride, 1.0f, size);
  clear_outside<kThreads, kVector>(values, size);
}
template <int kThreads, int kVector, int kElements>
__device__ inline void join_row_of_parts(float (&values)[kElements], const float* row, int stride,
                                         const float* maxima, int maxima_stride, int count, int size) {
  const float most = lanes_largest_part(maxima, maxima_stride, count);
  for (int e = 0; e < kElements; ++e) values[e] = 0.0f;
  constexpr int kTogether = kElements <= 8 ? 8 : 1;
#pragma unroll kTogether
  for (int i = 0; i < count; ++i)
    add_row<kThreads, kVector>(values, row + i * stride, expf(maxima[i * maxima_stride] - most), size);
  clear_outside<kThreads, kVector>(values, size);
}
)";

constexpr const char* kRowAccess = R"(
// A thread holds kVector neighbours of a row, then as many again a whole block further on.
template <int kThreads, int kVector>
__device__ inline int place_of(int e) {
  return (e / kVector * kThreads + static_cast<int>(threadIdx.x)) * kVector + e % kVector;
}
// kVector elements in one access. Where the row's length is a multiple of kVector, every row begins at such.
template <class T, int kVector>
struct alignas(sizeof(T) * kVector) Pack {
  T values[kVector];
};
// Those elements of `row` whose place is inside, and 0; `whole`: packs begin where they may, and are inside or are not. All
// loads are on their way before the first is waited for, which whoever takes a word apart does.
template <int kThreads, int kVector, int kElements, class T, class Inside>
__device__ inline void load_inside(float (&values)[kElements], const T* row, bool whole, Inside inside) {
  using Words = Pack<unsigned, kVector * static_cast<int>(sizeof(T)) / 4>;
  if (whole) {
    Words words[kElements / kVector] = {};
#pragma unroll
    for (int e = 0; e < kElements; e += kVector) {
      const int place = place_of<kThreads, kVector>(e);
      if (inside(place)) words[e / kVector] = *reinterpret_cast<const Words*>(row + place);
    }
#pragma unroll
    for (int e = 0; e < kElements; ++e)
      values[e] = to_float(reinterpret_cast<const Pack<T, kVector>*>(&words[e / kVector])->values[e % kVector]);
  } else {
    T single[kElements] = {};
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      const int place = place_of<kThreads, kVector>(e);
      if (inside(place)) single[e] = row[place];
    }
#pragma unroll
    for (int e = 0; e < kElements; ++e) values[e] = to_float(single[e]);
  }
}
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void load_row(float (&values)[kElements], const T* row, int size) {
  load_inside<kThreads, kVector>(values, row, size % kVector == 0, [=](int place) { return place < size; });
}
// A part of `row`, whose element at a place lies `shift` further on: 0 where that is outside of `length`.
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void load_row_at(float (&values)[kElements], const T* row, int shift, int length, int size) {
  load_inside<kThreads, kVector>(values, row + shift, shift % kVector == 0 && length % kVector == 0, [=](int place) {
    return place < size && static_cast<unsigned>(place + shift) < static_cast<unsigned>(length);
  });
}
template <int kThreads, int kVector, int kElements, class T>
__device__ inline void store_row(T* row, const float (&values)[kElements], int size) {
#pragma unroll
  for (int e = 0; e < kElements; e += kVector) {
    const int place = place_of<kThreads, kVector>(e);
    if (size % kVector == 0 && place < size) {
      Pack<T, kVector> pack;
#pragma unroll
      for (int v = 0; v < kVector; ++v) pack.values[v] = from_float<T>(values[e + v]);
      *reinterpret_cast<Pack<T, kVector>*>(row + place) = pack;
    } else {
#pragma unroll
      for (int v = 0; v < kVector; ++v)
        if (place + v < size) row[place + v] = from_float<T>(values[e + v]);
    }
  }
}
)";

/// Where warps take rows of their own, a thread's place is that in its warp.
std::string row_access(std::string_view kernels) {
  std::string text = kRowAccess;
  constexpr std::string_view kThread = "static_cast<int>(threadIdx.x)";
  if (kernels.find("kRowsBeside") != std::string_view::npos)
    text.replace(text.find(kThread), kThread.size(), "static_cast<int>(threadIdx.x % kThreads)");
  return text;
}

}  // namespace

std::string with_type(std::string text, Storage half) {
  if (half == Storage::f16) return text;
  constexpr std::string_view kHalf = "half";
  const std::string type = Names::type(half);
  const auto letter = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(kHalf); at != std::string::npos; at = text.find(kHalf, at + type.size()))
    if ((at == 0 || !letter(at - 1)) && !letter(at + kHalf.size())) text.replace(at, kHalf.size(), type);
  // In instructions the types have names of their own: "f32.f16.f16.f32", "f16x2".
  for (std::size_t at = text.find(".f16"); at != std::string::npos; at = text.find(".f16", at + 5))
    text.replace(at, 4, ".bf16");
  return text;
}

std::string device_functions(std::string_view kernels, Storage half) {
  std::string text;
  const bool sums = has_word(kernels, "block_sum"), maxima = has_word(kernels, "block_max");
  const bool row_parts = has_word(kernels, "load_row_of_parts") || has_word(kernels, "join_row_of_parts");
  const bool lane_parts = row_parts || has_word(kernels, "lanes_sum_of_parts") ||
                          has_word(kernels, "lanes_joined_parts") || has_word(kernels, "lanes_largest_part");
  if (sums || maxima || lane_parts || has_word(kernels, "warp_sum") || has_word(kernels, "warp_max"))
    text += kWarpSums;
  if (sums) text += block_function("sum", "0.0f", "all + of_warps[i]");
  if (maxima) text += block_function("max", "-INFINITY", "fmaxf(all, of_warps[i])");
  if (has_word(kernels, "element_of")) text += kElementOf;
  if (row_parts || has_word(kernels, "load_row") || has_word(kernels, "load_row_at") ||
      has_word(kernels, "store_row") || has_word(kernels, "place_of"))
    text += row_access(kernels);
  if (has_word(kernels, "sum_of_parts") || has_word(kernels, "joined_parts") ||
      has_word(kernels, "largest_part"))
    text += kParts;
  if (lane_parts) text += kLaneParts;
  if (row_parts) text += kRowParts;
  text += strip_functions(kernels);
  if (has_word(kernels, "eight_of_row")) text += with_type(gemv_functions(), half);
  if (has_word(kernels, "kPad")) text += with_type(tensor_functions(kernels), half);
  for (const Unary& row : unary_functions())
    if (!row.function.empty() && has_word(kernels, row.name)) text += row.function;
  if (has_word(kernels, "int64_t"))  // strides of tensors that large
    for (const std::string_view stride : {"int stride", "int maxima_stride"})
      for (std::size_t at = text.find(stride); at != std::string::npos; at = text.find(stride, at + 20))
        text.replace(at, 3, "std::int64_t");
  return kConversions + text;
}

}  // namespace workbook::opt
