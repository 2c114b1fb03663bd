// Instructions of tensor cores on words of registers.
#pragma once

#include <type_traits>

#include "optimizer/device/half.cuh"

// Tensor cores multiply 16 x 16 elements by 16 x 8. A lane has four words, of two elements, of what is left,
// and two of what is right: of rows (or columns) lane / 4 and 8 below the words lane % 4 and 4 behind. `tile`
// is where the fragment begins, in shared memory, its rows `stride` apart. kTurned: rows of the tile are
// columns of what is multiplied. kTransposed: what lies below each other comes beside each other. `row`:
// eight elements that other lanes get, too.
template <bool kTransposed>
__device__ inline void load_words(unsigned (&words)[4], const Half* row) {
  const auto from = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (kTransposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
}
template <bool kTurned, bool kTransposed>
__device__ inline void load_fragment(unsigned (&words)[4], const Half* tile, int stride) {
  const int lane = threadIdx.x % 32;
  load_words<kTransposed>(words, kTurned ? tile + (lane / 16 * 8 + lane % 8) * stride + lane / 8 % 2 * 8
                                         : tile + lane % 16 * stride + lane / 16 * 8);
}
template <bool kTurned>
__device__ inline void load_left(unsigned (&words)[4], const Half* tile, int stride) {
  load_fragment<kTurned, kTurned>(words, tile, stride);
}
// The same of two fragments of what is right, side by side: 16 columns.
template <bool kTurned>
__device__ inline void load_right(unsigned (&words)[4], const Half* tile, int stride) {
  load_fragment<kTurned, !kTurned>(words, tile, stride);
}
// sums += left right. Of the sums a lane has of rows lane / 4 and 8 below columns 2 (lane % 4) and the next
// one.
__device__ inline void multiply_words(float (&sums)[4], const unsigned (&left)[4], unsigned first,
                                      unsigned second) {
  if constexpr (std::is_same_v<Half, half>)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(first), "r"(second));
  else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(first), "r"(second));
}
