// What groups of warps have in registers, multiplied by tiles in shared memory.
#pragma once

#include "optimizer/device/group_products.cuh"

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
