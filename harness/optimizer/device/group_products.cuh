// Products of groups of four warps, which have 64 rows below each other, 16 a warp.
#pragma once

#include "optimizer/device/panels.cuh"
#include "optimizer/device/words.cuh"

// Where a tile lies, and how, as the instruction wants it: `step` is from one panel to the next, in bytes.
__device__ inline unsigned long long described(const Half* tile, int step) {
  return (place_of(tile) & 0x3ffff) >> 4 | static_cast<unsigned long long>(step >> 4) << 16 | 64ull << 32 |
         1ull << 62;
}
// sums += left right, of 16 elements of the index that is summed away, 8 kParts columns. kLeftAcross: rows of
// what is left lie beside each other in memory; kRightAcross: columns of what is right do.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define PART(n) "+f"(sums[n][0]), "+f"(sums[n][1]), "+f"(sums[n][2]), "+f"(sums[n][3])
#define PARTS(n) \
  PART(n), PART(n + 1), PART(n + 2), PART(n + 3), PART(n + 4), PART(n + 5), PART(n + 6), PART(n + 7)
// clang-format off
#define GROUP_PRODUCT(shape, type, numbers, operands, ...)                                        \
  asm volatile("wgmma.mma_async.sync.aligned.m64" shape "k16.f32." type " {" numbers "}, " operands \
               : __VA_ARGS__                                                                      \
               : "l"(left), "l"(right), "n"(kLeftAcross), "n"(kRightAcross))
// clang-format on
#define GROUP_STEP(parts, shape, numbers, operands, ...)                             \
  template <int kLeftAcross, int kRightAcross>                                       \
  __device__ inline void group_step(float(&sums)[parts][4], unsigned long long left, \
                                    unsigned long long right) {                      \
    if constexpr (std::is_same_v<Half, half>)                                        \
      GROUP_PRODUCT(shape, "f16.f16", numbers, operands, __VA_ARGS__);               \
    else                                                                             \
      GROUP_PRODUCT(shape, "bf16.bf16", numbers, operands, __VA_ARGS__);             \
  }
#define NUMBERS_32                                                         \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NUMBERS_64                                                                   \
  NUMBERS_32                                                                         \
  ", "                                                                               \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NUMBERS_128                                                                              \
  NUMBERS_64                                                                                     \
  ", "                                                                                           \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
GROUP_STEP(8, "n64", NUMBERS_32, "%32, %33, 1, 1, 1, %34, %35;", PARTS(0))
GROUP_STEP(16, "n128", NUMBERS_64, "%64, %65, 1, 1, 1, %66, %67;", PARTS(0), PARTS(8))
GROUP_STEP(32, "n256", NUMBERS_128, "%128, %129, 1, 1, 1, %130, %131;", PARTS(0), PARTS(8), PARTS(16),
           PARTS(24))
#undef PART
#undef PARTS
#undef GROUP_PRODUCT
#undef GROUP_STEP
#endif
// What stands around products of a step: the compiler leaves the sums where they are, between them nobody
// reads or writes them; and how many steps may still be at work behind them.
template <int kDown, int kParts>
__device__ inline void hold_sums([[maybe_unused]] float (&sums)[kDown][kParts][4]) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#pragma unroll
  for (int i = 0; i < kDown * kParts * 4; ++i)
    asm volatile("" : "+f"(sums[i / (4 * kParts)][i / 4 % kParts][i % 4])::"memory");
#endif
}
__device__ inline void begin_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
__device__ inline void end_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
template <int kSteps>
__device__ inline void wait_for_products() {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kSteps) : "memory");
#endif
}
// A fragment of a tile in panels (words.cuh), which begins at a row and a column of it.
template <bool kTurned, bool kTransposed, int kRows>
__device__ inline void load_of_panels(unsigned (&words)[4], const Half* tile, int row, int column) {
  const int lane = threadIdx.x % 32;
  row += kTurned ? lane / 16 * 8 + lane % 8 : lane % 16;
  column += kTurned ? lane / 8 % 2 * 8 : lane / 16 * 8;
  load_words<kTransposed>(words, tile + in_panels<kRows>(row, column));
}
// Adds a step of kDepth elements: of what is left rows from `row` on, 64 and the next ones; of what is right
// 8 kParts columns. Tiles have as many rows, or columns, as kRows and kColumns say; kLeftTurned: rows of what
// is left are the tile's columns, kRightTurned: columns of what is right are the tile's rows.
template <bool kLeftTurned, bool kRightTurned, int kRows, int kColumns, int kDepth, int kDown, int kParts>
__device__ inline void add_panels(float (&sums)[kDown][kParts][4], const Half* left, const Half* right,
                                  int row) {
#pragma unroll
  for (int k = 0; k < kDepth; k += 16)
#pragma unroll
    for (int down = 0; down < kDown; ++down) {
      const int from = row + 64 * down;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
      const Half* const own = kLeftTurned ? left + from / 64 * kDepth * 64 + k * 64
                                          : left + k / 64 * kRows * 64 + from * 64 + k % 64;
      const Half* const all = kRightTurned ? right + k / 64 * kColumns * 64 + k % 64 : right + k * 64;
      group_step<kLeftTurned, !kRightTurned>(sums[down], described(own, 128 * (kLeftTurned ? kDepth : kRows)),
                                             described(all, 128 * (kRightTurned ? kColumns : kDepth)));
#else
      const int own_row = from + static_cast<int>(threadIdx.x) / 32 % 4 * 16;
      unsigned own[4];
      load_of_panels<kLeftTurned, kLeftTurned, kLeftTurned ? kDepth : kRows>(
          own, left, kLeftTurned ? k : own_row, kLeftTurned ? own_row : k);
#pragma unroll
      for (int part = 0; part < kParts; part += 2) {
        unsigned other[4];
        load_of_panels<kRightTurned, !kRightTurned, kRightTurned ? kColumns : kDepth>(
            other, right, kRightTurned ? 8 * part : k, kRightTurned ? k : 8 * part);
        multiply_words(sums[down][part], own, other[0], other[1]);
        multiply_words(sums[down][part + 1], own, other[2], other[3]);
      }
#endif
    }
}
