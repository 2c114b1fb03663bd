// Products of what goes from memory into registers, 16 bytes at once.
#pragma once

#include "optimizer/device/eight.cuh"
#include "optimizer/device/words.cuh"

// Eight neighbours that nobody wants again: the L1 keeps none of them, and the L2 fetches 128 bytes at once.
__device__ inline Eight load_once(const Half* from) {
  Eight eight;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(eight.words[0]), "=r"(eight.words[1]), "=r"(eight.words[2]), "=r"(eight.words[3])
               : "l"(__cvta_generic_to_global(from)));
  return eight;
}
// `inside` of the eight are there, and zeros come for the rest; `wide`: they begin at a multiple of 16 bytes.
__device__ inline Eight load_inside(const Half* from, int inside, bool wide) {
  if (wide && inside >= 8) return load_eight(from);
  Eight eight = {};
  for (int j = 0; j < 8; ++j)
    if (j < inside) eight.at[j] = from[j];
  return eight;
}
// A warp loads 32 columns of rows that lie `stride` apart: a lane of row lane / 4, of the row 8 below, and so
// on, eight neighbours of each. Of the matrix `rows` and `columns` are inside. kWhole: all columns are, 16
// bytes at once, and for rows outside the last one comes again. kOnce: this is all that anybody wants of
// them.
template <bool kWhole, bool kOnce, int kParts>
__device__ inline void load_row_pieces(Eight (&eights)[kParts], const Half* from, int stride, int rows,
                                       int columns) {
  const int row = threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 8;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    const int below = row + 8 * part;
    const Half* const piece = from + min(below, rows - 1) * stride + column;
    if constexpr (!kWhole)
      eights[part] =
          load_inside(piece, below < rows ? columns - column : 0, stride % 8 == 0 && columns % 8 == 0);
    else if constexpr (kOnce)
      eights[part] = load_once(piece);
    else
      eights[part] = load_eight(piece);
  }
}
// sums += left right, over 32 elements. A lane has eight of each row (of what is right: of each column) that
// it adds to; in which order they are multiplied is the same on both sides, and nobody sees it.
template <int kParts>
__device__ inline void multiply_eights(float (&sums)[kParts][4], const Eight (&left)[2],
                                       const Eight (&right)[kParts]) {
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const unsigned words[4] = {left[0].words[i], left[1].words[i], left[0].words[i + 1],
                               left[1].words[i + 1]};
#pragma unroll
    for (int part = 0; part < kParts; ++part)
      multiply_words(sums[part], words, right[part].words[i], right[part].words[i + 1]);
  }
}
