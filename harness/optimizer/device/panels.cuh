// Tiles in shared memory as groups of warps multiply them.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/stage_barriers.cuh"
#include "optimizer/device/tensor_maps.cuh"

// Compiled for sm_90a, the GPU copies tiles by itself, and groups of four warps multiply them; compiled for
// others, threads copy, and each warp multiplies.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr bool kByGroups = true;
#else
constexpr bool kByGroups = false;
#endif

// A tile of kRows rows lies in panels of 64 columns, one behind the other: rows of 128 bytes, whose pieces of
// 16 bytes change places by the row's number, so that pieces below each other lie in different banks.
template <int kRows>
__device__ inline int in_panels(int row, int column) {
  return column / 64 * kRows * 64 + row * 64 + (column / 8 % 8 ^ row % 8) * 8 + column % 8;
}
// A thread begins to copy a tile; `at`: where it begins, in the map's dimensions.
template <int kRows, int kColumns>
__device__ inline void copy_panels(Half* to, const TensorMap& map, StageBarrier* barrier, int column, int row,
                                   int third, int fourth) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#pragma unroll
  for (int panel = 0; panel < kColumns / 64; ++panel)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::
            "r"(place_of(to + panel * kRows * 64)),
        "l"(&map), "r"(place_of(barrier)), "r"(column + 64 * panel), "r"(row), "r"(third), "r"(fourth)
        : "memory");
#endif
}
__device__ inline void arrive_and_expect(StageBarrier* barrier, int bytes) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place_of(barrier)), "r"(bytes)
               : "memory");
#endif
}
// The same by 128 threads from a matrix whose rows are `stride` apart; `rows` and `columns` of it are inside,
// and zeros stand for the rest.
template <int kRows, int kColumns, class Stride>
__device__ inline void copy_panels(Half* to, const Half* from, Stride stride, int rows, int columns) {
#pragma unroll 1
  for (int i = threadIdx.x % 128; i < kRows * kColumns / 8; i += 128) {
    const int row = i / (kColumns / 8), column = i % (kColumns / 8) * 8;
    Half* const piece = to + in_panels<kRows>(row, column);
    for (int j = 0; j < 8; ++j)
      piece[j] =
          row < rows && column + j < columns ? from[row * stride + column + j] : from_float<Half>(0.0f);
  }
}
