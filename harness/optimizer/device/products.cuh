// Products of a warp's rows with tiles.
#pragma once

#include "optimizer/device/word_of.cuh"
#include "optimizer/device/words.cuh"

// Sums of kDown times 16 rows as what is left of the next product, whose steps are the columns.
template <int kDown, int kSteps, int kParts>
__device__ inline void to_left(unsigned (&left)[kDown][kSteps][4], const float (&sums)[kDown][kParts][4]) {
#pragma unroll
  for (int i = 0; i < kDown * kSteps * 4; ++i) {
    const float(&from)[4] = sums[i / (4 * kSteps)][i / 4 % kSteps * 2 + i % 4 / 2];
    left[i / (4 * kSteps)][i / 4 % kSteps][i % 4] = word_of(from[i % 2 * 2], from[i % 2 * 2 + 1]);
  }
}
// kDown times 16 rows of a tile.
template <int kDown, int kSteps>
__device__ inline void load_left(unsigned (&left)[kDown][kSteps][4], const Half* rows, int stride) {
#pragma unroll
  for (int i = 0; i < kDown * kSteps; ++i)
    load_left<false>(left[i / kSteps][i % kSteps], rows + i / kSteps * 16 * stride + i % kSteps * 16, stride);
}
// Adds one step, 16 elements of the index that is summed away, to sums of 8 kParts columns.
template <bool kTurned, int kDown, int kParts>
__device__ inline void add_step(float (&sums)[kDown][kParts][4], const unsigned (&left)[kDown][4],
                                const Half* tile, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; part += 2) {
    unsigned right[4];
    load_right<kTurned>(right, tile + 8 * part * (kTurned ? stride : 1), stride);
#pragma unroll
    for (int down = 0; down < kDown; ++down) {
      multiply_words(sums[down][part], left[down], right[0], right[1]);
      multiply_words(sums[down][part + 1], left[down], right[2], right[3]);
    }
  }
}
// Adds all steps of a tile: what is left of them is in registers, or in shared memory, too.
template <bool kTurned, int kDown, int kSteps, int kParts>
__device__ inline void add_products(float (&sums)[kDown][kParts][4], const unsigned (&left)[kDown][kSteps][4],
                                    const Half* tile, int stride) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned own[kDown][4];
    for (int i = 0; i < 4 * kDown; ++i) own[i / 4][i % 4] = left[i / 4][step][i % 4];
    add_step<kTurned>(sums, own, tile + 16 * step * (kTurned ? 1 : stride), stride);
  }
}
template <bool kTurned, int kSteps, int kDown, int kParts>
__device__ inline void add_products(float (&sums)[kDown][kParts][4], const Half* rows, int row_stride,
                                    const Half* tile, int stride) {
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned left[kDown][4];
    for (int down = 0; down < kDown; ++down)
      load_left<false>(left[down], rows + 16 * down * row_stride + 16 * step, row_stride);
    add_step<kTurned>(sums, left, tile + 16 * step * (kTurned ? 1 : stride), stride);
  }
}
