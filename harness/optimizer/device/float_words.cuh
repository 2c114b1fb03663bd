// What is left where it is float.
#pragma once

#include "optimizer/device/conversions.cuh"
#include "optimizer/device/word_of.cuh"
#include "optimizer/device/words.cuh"

// What is left where it lies there as float: of its rows a lane has elements 2 (lane % 4) and the next one,
// and those 8 behind.
template <bool kTurned>
__device__ inline void load_elements(float (&elements)[8], const float* tile, int stride) {
  const int row = threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < 8; i += 2) {
    const int below = row + i / 2 % 2 * 8, behind = column + i / 4 * 8;
    float2 two;
    if constexpr (kTurned)
      two = {tile[behind * stride + below], tile[(behind + 1) * stride + below]};
    else
      two = *reinterpret_cast<const float2*>(tile + below * stride + behind);
    elements[i] = two.x, elements[i + 1] = two.y;
  }
}
// The words of a slice, rounded. Where the warp's slice has elements that are too large for half all words
// are zero, and it says so: multiply_floats takes the slice. bfloat16 has the range of float.
template <bool kTurned, int kDown>
__device__ inline bool load_floats(unsigned (&words)[kDown][4], const float* tile, int stride) {
#pragma unroll
  for (int down = 0; down < kDown; ++down) {
    float elements[8];
    load_elements<kTurned>(elements, tile + 16 * down * (kTurned ? 1 : stride), stride);
#pragma unroll
    for (int i = 0; i < 4; ++i) words[down][i] = word_of(elements[2 * i], elements[2 * i + 1]);
  }
  if constexpr (!std::is_same_v<Half, half>) return false;
  unsigned carries = 0;  // out of an exponent that is all ones
#pragma unroll
  for (int i = 0; i < 4 * kDown; ++i) carries |= (words[i / 4][i % 4] & 0x7c007c00u) + 0x04000400u;
  if (!__any_sync(0xffffffffu, (carries & 0x80008000u) != 0)) return false;
#pragma unroll
  for (int i = 0; i < 4 * kDown; ++i) words[i / 4][i % 4] = 0;
  return true;
}
// The same product in tf32, which has as many bits as half and the exponents of float; what is right, words
// of half, is exact there. It takes thrice as long.
__device__ inline unsigned in_tf32(float value) {
  unsigned word;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(value));
  return word;
}
__device__ inline void multiply_elements(float (&sums)[4], const float (&left)[8], unsigned first,
                                         unsigned second) {
  union {
    unsigned word;
    Half at[2];
  } right;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    right.word = i == 0 ? first : second;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(in_tf32(left[4 * i])), "r"(in_tf32(left[4 * i + 2])), "r"(in_tf32(left[4 * i + 1])),
          "r"(in_tf32(left[4 * i + 3])), "r"(__float_as_uint(to_float(right.at[0]))),
          "r"(__float_as_uint(to_float(right.at[1]))));
  }
}
template <bool kTurned, int kDown, int kAcross>
__device__ inline void multiply_floats(float (&sums)[kDown][2 * kAcross][4], const float* tile, int stride,
                                       const unsigned (&right)[kAcross][4]) {
#pragma unroll
  for (int j = 0; j < kAcross; ++j)  // outside: else the compiler keeps all that is right in 32 bits, too
#pragma unroll
    for (int i = 0; i < kDown; ++i) {
      float left[8];
      load_elements<kTurned>(left, tile + 16 * i * (kTurned ? 1 : stride), stride);
      multiply_elements(sums[i][2 * j], left, right[j][0], right[j][1]);
      multiply_elements(sums[i][2 * j + 1], left, right[j][2], right[j][3]);
    }
}
