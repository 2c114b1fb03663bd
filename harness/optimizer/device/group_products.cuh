// Products of groups of four warps, which have 64 rows below each other, 16 a warp.
#pragma once

#include "optimizer/device/panels.cuh"
#include "optimizer/device/words.cuh"

// Where a tile lies, and how, as the instruction wants it: `step` is from one panel to the next, in bytes.
__device__ inline unsigned long long described(const Half* tile, int step) {
  return (place_of(tile) & 0x3ffff) >> 4 | static_cast<unsigned long long>(step >> 4) << 16 | 64ull << 32 |
         1ull << 62;
}
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
// is left are the tile's columns, kRightTurned: columns of what is right are the tile's rows; kBegins: sums
// are of this step alone.
template <bool kLeftTurned, bool kRightTurned, int kRows, int kColumns, int kDepth, bool kBegins = false,
          int kDown, int kParts>
__device__ inline void add_panels(float (&sums)[kDown][kParts][4], const Half* left, const Half* right,
                                  int row) {
#ifndef __CUDA_ARCH_FEAT_SM90_ALL
  for (int i = 0; kBegins && i < kDown * kParts * 4; ++i)
    sums[i / (4 * kParts)][i / 4 % kParts][i % 4] = 0.0f;
#endif
#pragma unroll
  for (int k = 0; k < kDepth; k += 16)
#pragma unroll
    for (int down = 0; down < kDown; ++down) {
      const int from = row + 64 * down;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
      const Half* const own = kLeftTurned ? left + from / 64 * kDepth * 64 + k * 64
                                          : left + k / 64 * kRows * 64 + from * 64 + k % 64;
      const Half* const all = kRightTurned ? right + k / 64 * kColumns * 64 + k % 64 : right + k * 64;
      group_step<kLeftTurned, !kRightTurned>(sums[down], !kBegins || k > 0,
                                             described(own, 128 * (kLeftTurned ? kDepth : kRows)),
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
