// How matrices lie in memory, for copies of tiles by the GPU itself.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "optimizer/device/half.cuh"

// What the driver makes of it.
struct alignas(64) TensorMap {
  std::uint64_t words[16];
};
// Tiles of `rows` rows and 64 columns of a matrix: sizes and, in elements, distances of its dimensions, the
// contiguous one first; sizes of 1 fill up. False where it cannot be: rows have to begin at multiples of 16
// bytes, and the driver has to know of maps.
inline bool make_map(TensorMap* map, const Half* matrix, int rows, const std::int64_t (&sizes)[4],
                     const std::int64_t (&distances)[3]) {
#if CUDART_VERSION >= 12050
  std::uint64_t extents[4], strides[3];
  bool fits = reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0;
  for (int dim = 0; dim < 4; ++dim) extents[dim] = static_cast<std::uint64_t>(sizes[dim]);
  for (int dim = 0; dim < 3; ++dim) {
    strides[dim] = static_cast<std::uint64_t>(distances[dim]) * sizeof(Half);
    fits = fits && distances[dim] % 8 == 0;
  }
  // cuTensorMapEncodeTiled(): CU_TENSOR_MAP_DATA_TYPE_FLOAT16 or _BFLOAT16, _SWIZZLE_128B, _L2_256B.
  using Make = int (*)(TensorMap*, int type, std::uint32_t rank, void* address, const std::uint64_t* extents,
                       const std::uint64_t* strides, const std::uint32_t* box, const std::uint32_t* every,
                       int interleave, int swizzle, int promotion, int fill);
  static const Make make = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, 0, &found);
    return reinterpret_cast<Make>(function);
  }();
  const std::uint32_t box[4] = {64, static_cast<std::uint32_t>(rows), 1, 1}, every[4] = {1, 1, 1, 1};
  return fits && make != nullptr &&
         make(map, std::is_same_v<Half, half> ? 6 : 9, 4, const_cast<Half*>(matrix), extents, strides, box,
              every, 0, 3, 3, 0) == 0;
#else
  return false;
#endif
}
