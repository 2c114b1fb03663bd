// The same where columns of what is multiplied are no rows in memory.
#pragma once

#include "optimizer/device/pieces.cuh"

// Of 32 rows and 64 columns, and the next 64, a lane has rows 8 (lane % 4) to 7 below, eight neighbours of
// each. kWhole: all rows are inside, and the last columns come again for those outside.
template <bool kWhole, int kParts>
__device__ inline void load_column_pieces(Eight (&eights)[kParts], const Half* from, int stride, int rows,
                                          int columns) {
  const int row = threadIdx.x % 4 * 8, column = threadIdx.x % 32 / 4 * 8;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    const int below = row + part % 8, behind = part / 8 * 64 + column;
    if constexpr (kWhole)
      eights[part] = load_once(from + below * stride + min(behind, columns - 8));
    else
      eights[part] = load_inside(from + below * stride + behind, below < rows ? columns - behind : 0,
                                 stride % 8 == 0 && columns % 8 == 0);
  }
}
// Eight rows of eight neighbours each become columns: number j has then the elements that were number j of
// each.
template <int kParts>
__device__ inline void turn_eights(Eight (&eights)[kParts]) {
#pragma unroll
  for (int first = 0; first < kParts; first += 8) {
    Eight columns[8];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      const int column = i / 4, row = first + i % 4 * 2;
      columns[column].words[i % 4] =
          __byte_perm(eights[row].words[column / 2], eights[row + 1].words[column / 2],
                      column % 2 == 0 ? 0x5410 : 0x7632);
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) eights[first + i] = columns[i];
  }
}
// A warp's sums of 16 rows to a tile, where a lane's numbers 8 i to 8 i + 7 are of neighbours.
template <int kParts>
__device__ inline void store_sums_of_columns(float* tile, const float (&sums)[kParts][4], int stride) {
  float* const own = tile + threadIdx.x % 32 / 4 * stride + threadIdx.x % 4 * 16;
#pragma unroll
  for (int part = 0; part < kParts; part += 2)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      *reinterpret_cast<float2*>(own + i / 2 * 8 * stride + part / 8 * 64 + i % 2 * 8 + part % 8) = {
          sums[part][i], sums[part + 1][i]};
}
