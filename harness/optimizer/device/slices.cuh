// Slices of a block's tiles.
#pragma once

#include "optimizer/device/words.cuh"

// Fragments of a slice, 16 elements of the index that is summed away: below each other, and beside each
// other.
template <bool kTurned, int kParts>
__device__ inline void load_lefts(unsigned (&words)[kParts][4], const Half* tile, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    load_left<kTurned>(words[part], tile + 16 * part * (kTurned ? 1 : stride), stride);
}
template <bool kTurned, int kParts>
__device__ inline void load_rights(unsigned (&words)[kParts][4], const Half* tile, int stride) {
#pragma unroll
  for (int part = 0; part < kParts; ++part)
    load_right<kTurned>(words[part], tile + 16 * part * (kTurned ? stride : 1), stride);
}
template <int kDown, int kAcross>
__device__ inline void multiply_slice(float (&sums)[kDown][2 * kAcross][4], const unsigned (&left)[kDown][4],
                                      const unsigned (&right)[kAcross][4]) {
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
      multiply_words(sums[i][2 * j], left[i], right[j][0], right[j][1]);
      multiply_words(sums[i][2 * j + 1], left[i], right[j][2], right[j][3]);
    }
}
