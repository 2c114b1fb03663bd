// What kernels of paths strip and turned call: packs of neighbours in memory, and sums of the columns of a
// block.
#include "optimizer/launch/text.h"

namespace workbook::opt {
namespace {

constexpr const char* kPacks = R"(
// kVector neighbours in memory, as they travel. Where the row's length is a multiple of kVector, every row begins at
// such.
template <class T, int kVector>
struct NeighboursOf {
  using Piece = std::conditional_t<sizeof(T) * kVector % 16 == 0, uint4, uint2>;
  static constexpr int kPieces = static_cast<int>(sizeof(T)) * kVector / static_cast<int>(sizeof(Piece));
  Piece pieces[kPieces];
  __device__ float at(int each) const { return to_float(reinterpret_cast<const T*>(pieces)[each]); }
};
// Those of a row of `size` from `first` on; behind its end its last ones again. No load stands behind a condition that
// differs from thread to thread, so that all of a turn are on their way together.
template <int kVector, class T>
__device__ inline NeighboursOf<T, kVector> pack_of(const T* row, int first, int size) {
  using Pack = NeighboursOf<T, kVector>;
  Pack pack;
  if (size % kVector == 0) {
    const auto* const from = reinterpret_cast<const typename Pack::Piece*>(row + min(first, size - kVector));
#pragma unroll
    for (int i = 0; i < Pack::kPieces; ++i) pack.pieces[i] = from[i];
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i) reinterpret_cast<T*>(pack.pieces)[i] = row[min(first + i, size - 1)];
  }
  return pack;
}
template <int kVector, class T>
__device__ inline void store_pack(T* row, int first, int size, const float (&values)[kVector]) {
  using Pack = NeighboursOf<T, kVector>;
  if (size % kVector == 0) {
    if (first >= size) return;
    Pack pack;
#pragma unroll
    for (int i = 0; i < kVector; ++i) reinterpret_cast<T*>(pack.pieces)[i] = from_float<T>(values[i]);
#pragma unroll
    for (int i = 0; i < Pack::kPieces; ++i) reinterpret_cast<typename Pack::Piece*>(row + first)[i] = pack.pieces[i];
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i)
      if (first + i < size) row[first + i] = from_float<T>(values[i]);
  }
}
)";

/// Of "sum" and "max": of each column over all groups of threads, in every thread.
std::string rows_function(const char* what, const char* first, const char* join, const char* lanes) {
  return fmt::format(R"(
template <int kThreads, int kLanes, int kVector>
__device__ inline void rows_{0}(float (&values)[kVector]) {{
  constexpr int kWarps = kThreads / 32, kColumns = kLanes * kVector;
#pragma unroll
  for (int offset = kLanes; offset < 32; offset *= 2)
    for (float& value : values) {3};
  if (kWarps == 1) return;
  __shared__ float of_warps[kWarps][kColumns];  // an element of each lane, then the next one of each
  __shared__ float of_all[kColumns];
  const int lane = threadIdx.x % kLanes;
  __syncthreads();  // the values of the last call have been read
  if (threadIdx.x % 32 < kLanes)
    for (int i = 0; i < kVector; ++i) of_warps[threadIdx.x / 32][i * kLanes + lane] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < kColumns; i += kThreads) {{
    float all = {1};
    for (int warp = 0; warp < kWarps; ++warp) all = {2};
    of_all[i] = all;
  }}
  __syncthreads();
  for (int i = 0; i < kVector; ++i) values[i] = of_all[i * kLanes + lane];
}}
)",
                     what, first, join, lanes);
}

}  // namespace

std::string strip_functions(std::string_view kernels) {
  std::string text;
  if (has_word(kernels, "pack_of") || has_word(kernels, "store_pack")) text += kPacks;
  if (has_word(kernels, "rows_sum"))
    text += rows_function("sum", "0.0f", "all + of_warps[warp][i]",
                          "value += __shfl_xor_sync(0xffffffffu, value, offset)");
  if (has_word(kernels, "rows_max"))
    text += rows_function("max", "-INFINITY", "fmaxf(all, of_warps[warp][i])",
                          "value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset))");
  return text;
}

}  // namespace workbook::opt
