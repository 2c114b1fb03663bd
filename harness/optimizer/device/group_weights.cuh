// What groups of warps have in registers, multiplied by tiles in shared memory.
#pragma once

#include "optimizer/device/group_products.cuh"

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
// sums += left right as in group_products.cuh, words of what is left in registers.
#define PART(n) "+f"(sums[n][0]), "+f"(sums[n][1]), "+f"(sums[n][2]), "+f"(sums[n][3])
#define PARTS(n) \
  PART(n), PART(n + 1), PART(n + 2), PART(n + 3), PART(n + 4), PART(n + 5), PART(n + 6), PART(n + 7)
// clang-format off
#define GROUP_PRODUCT(shape, type, numbers, operands, ...)                                        \
  asm volatile("wgmma.mma_async.sync.aligned.m64" shape "k16.f32." type " {" numbers "}, " operands \
               : __VA_ARGS__                                                                      \
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "n"(kRightAcross))
// clang-format on
#define GROUP_STEP(parts, shape, numbers, operands, ...)                              \
  template <int kRightAcross>                                                         \
  __device__ inline void group_step(float(&sums)[parts][4], const unsigned(&left)[4], \
                                    unsigned long long right) {                       \
    if constexpr (std::is_same_v<Half, half>)                                         \
      GROUP_PRODUCT(shape, "f16.f16", numbers, operands, __VA_ARGS__);                \
    else                                                                              \
      GROUP_PRODUCT(shape, "bf16.bf16", numbers, operands, __VA_ARGS__);              \
  }
GROUP_STEP(8, "n64", NUMBERS_32, "{%32, %33, %34, %35}, %36, 1, 1, 1, %37;", PARTS(0))
GROUP_STEP(16, "n128", NUMBERS_64, "{%64, %65, %66, %67}, %68, 1, 1, 1, %69;", PARTS(0), PARTS(8))
#undef PART
#undef PARTS
#undef GROUP_PRODUCT
#undef GROUP_STEP
#endif
// Adds all steps of a tile; a warp has 16 of the group's rows.
template <bool kRightTurned, int kColumns, int kDepth, int kSteps, int kParts>
__device__ inline void add_panels(float (&sums)[1][kParts][4], const unsigned (&left)[1][kSteps][4],
                                  const Half* right) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const int k = 16 * step;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    const Half* const all = kRightTurned ? right + k / 64 * kColumns * 64 + k % 64 : right + k * 64;
    group_step<!kRightTurned>(sums[0], left[0][step],
                              described(all, 128 * (kRightTurned ? kColumns : kDepth)));
#else
#pragma unroll
    for (int part = 0; part < kParts; part += 2) {
      unsigned other[4];
      load_of_panels<kRightTurned, !kRightTurned, kRightTurned ? kColumns : kDepth>(
          other, right, kRightTurned ? 8 * part : k, kRightTurned ? k : 8 * part);
      multiply_words(sums[0][part], left[0][step], other[0], other[1]);
      multiply_words(sums[0][part + 1], left[0][step], other[2], other[3]);
    }
#endif
  }
}
