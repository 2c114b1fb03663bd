// Puzzle 44, what --tensor is handed: its fragments, its shared memory, and what goes on around both
// products.
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "given.cuh"
#include "sizes.h"

namespace wmma = nvcuda::wmma;

// A tile of kTile x kTile elements, held by the 32 lanes of a warp together: 8 sums a lane. Which lane has
// which element, CUDA leaves open; the same in all fragments of one type.
using LeftTile = wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major>;
using RightTile = wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::row_major>;
// Element (i, j) lies at [j][i] in memory: a tile of k, [keys, features], becomes features x keys.
using TurnedTile = wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::col_major>;
using SumTile = wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float>;

constexpr int kFeatureTiles = kMaxFeatures / kTile;

// A tile of keys: all warps read it.
struct KeyTile {
  half k[kTensorKeys][kRow], v[kTensorKeys][kRow];
  float k_factor[kTensorKeys];  // 1 / rms of each key
};
// Of one warp alone.
struct WarpRows {
  float scores[kTile][kRow];
  half halves[kTile][kRow];  // its queries before the loop, weights in it
};
struct TensorMemory {
  KeyTile tiles[kStages];
  WarpRows warps[kTensorWarps];
};
static_assert(sizeof(TensorMemory) <= 64 * 1024, "a block has 64 KB at most on compute capability 7.5");

// Begins to copy `kRows` rows of `from`, [rows, features], to `to`, and does not wait for them. 0 where there
// is no such row or feature. `kThreads` threads together, whole warps: a thread 16 bytes, a warp 4 rows.
// Where rows do not begin at multiples of 16 bytes the warp copies the same 4 rows element by element, and
// waits.
template <int kRows, int kThreads>
__device__ inline void copy_rows(half (*to)[kRow], const half* from, int rows, int features) {
  constexpr int kPieces = kRows * kMaxFeatures / 8;
  static_assert(kPieces % kThreads == 0);
  const int thread = threadIdx.x % kThreads, lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int first = 0; first < kPieces; first += kThreads) {
    const int i = first + thread;
    const int row = i * 8 / kMaxFeatures, f = i * 8 % kMaxFeatures;
    if (features % 8 == 0) {
      const bool inside = row < rows && f < features;
      __pipeline_memcpy_async(&to[row][f], inside ? from + row * features + f : from, 16, inside ? 0 : 16);
    } else {
      for (int at = (i - lane) * 8 + lane; at < (i - lane + kWarpSize) * 8; at += kWarpSize) {
        const int y = at / kMaxFeatures, x = at % kMaxFeatures;
        to[y][x] = y < rows && x < features ? from[y * features + x] : to_half(0.0f);
      }
    }
  }
}

// Begins to copy a tile of keys: those from `first` to below `end`, of one head's k and v. Always one commit,
// so that waiting can count them.
__device__ inline void copy_tile(KeyTile& tile, const half* k, const half* v, int first, int end,
                                 int features) {
  if (first < end) {
    copy_rows<kTensorKeys, kTensorThreads>(tile.k, k + first * features, end - first, features);
    copy_rows<kTensorKeys, kTensorThreads>(tile.v, v + first * features, end - first, features);
  }
  __pipeline_commit();
}

// Begins to copy a warp's kTile rows of q from `first` on. The commit of the first tile is theirs too.
__device__ inline void copy_queries(half (*rows)[kRow], const half* q, int first, int queries, int features) {
  copy_rows<kTile, kWarpSize>(rows, q + first * features, queries - first, features);
}

// Eight halfs that lie side by side, at a multiple of 16 bytes. Eight lanes have one row.
union Eight {
  uint4 bits;
  half of[8];
};
__device__ inline Eight load_eight(const half* from) { return {*reinterpret_cast<const uint4*>(from)}; }
// The sum of the squares of the whole row, in each of its eight lanes.
__device__ inline float row_squares(const Eight& eight) {
  float squares = 0.0f;
  for (const half value : eight.of) squares += to_float(value) * to_float(value);
  for (int distance = kMaxFeatures / 8 / 2; distance > 0; distance /= 2)
    squares += __shfl_xor_sync(kAllLanes, squares, distance);
  return squares;
}

// 1 / rms of each key of the tile. A warp squares the rows that it has copied itself: its lanes have waited
// for their own copies, and wait here for each other, not for the block.
__device__ inline void find_factors(KeyTile& tile, int features) {
  __syncwarp();
#pragma unroll  // the shuffles of one row go on while another's come back
  for (int first = 0; first < kTensorKeys * kMaxFeatures / 8; first += kTensorThreads) {
    const int i = first + static_cast<int>(threadIdx.x);
    const int row = i * 8 / kMaxFeatures, f = i * 8 % kMaxFeatures;
    const float squares = row_squares(load_eight(&tile.k[row][f]));
    if (f == 0) tile.k_factor[row] = inverse_rms(squares, features);
  }
}

// A warp's rows of q, which it has copied and waited for, become its factor of all scores: with both gains,
// `scale` and 1 / rms, back in half.
__device__ inline void normalize_queries(half (*rows)[kRow], const half* gq, const half* gk, float scale,
                                         int features) {
  const int lane = threadIdx.x % kWarpSize;
  const int first_f = lane * 8 % kMaxFeatures;  // of all its eights
  float gains[8];
  for (int j = 0; j < 8; ++j) {
    const int f = min(first_f + j, features - 1);  // what is past the end meets a 0
    gains[j] = to_float(gq[f]) * to_float(gk[f]) * scale;
  }
  __syncwarp();
#pragma unroll
  for (int first = 0; first < kTile * kMaxFeatures / 8; first += kWarpSize) {
    half* at = &rows[(first + lane) * 8 / kMaxFeatures][first_f];
    Eight eight = load_eight(at);
    const float factor = inverse_rms(row_squares(eight), features);
    for (int j = 0; j < 8; ++j) eight.of[j] = to_half(to_float(eight.of[j]) * gains[j] * factor);
    *reinterpret_cast<uint4*>(at) = eight.bits;
  }
}

// Two lanes share a row of scores, row lane / 2: four keys are of the one lane, the next four of the other,
// and so on. So each reads and writes four elements at a time, and no two lanes meet in a bank.
constexpr int kOwnKeys = kTensorKeys / 2;
// Which key of the tile this lane's element i is of.
__device__ inline int own_key(int i) { return (i / 4 * 2 + static_cast<int>(threadIdx.x) % 2) * 4 + i % 4; }
__device__ inline void load_own(float (&own)[kOwnKeys], const float* row) {
  for (int i = 0; i < kOwnKeys; i += 4) {
    const float4 four = *reinterpret_cast<const float4*>(row + own_key(i));
    own[i] = four.x, own[i + 1] = four.y, own[i + 2] = four.z, own[i + 3] = four.w;
  }
}
__device__ inline void store_own(half* row, const float (&own)[kOwnKeys]) {
  union Four {
    uint2 bits;
    half of[4];
  };
  for (int i = 0; i < kOwnKeys; i += 4) {
    Four four = {};
    for (int j = 0; j < 4; ++j) four.of[j] = to_half(own[i + j]);
    *reinterpret_cast<uint2*>(row + own_key(i)) = four.bits;
  }
}
// `value` into the first kTile elements of the row that two lanes share.
__device__ inline void fill_row(float* row, float value) {
  for (int i = 0; i < kTile / 2; i += 4)
    *reinterpret_cast<float4*>(row + own_key(i)) = make_float4(value, value, value, value);
}
// Both lanes of a row get the larger of their two values, or the sum of both.
__device__ inline float pair_max(float value) { return fmaxf(value, __shfl_xor_sync(kAllLanes, value, 1)); }
__device__ inline float pair_sum(float value) { return value + __shfl_xor_sync(kAllLanes, value, 1); }

// A warp's rows of sums to `sums`, [rows, features]: the first `rows` of kTile. Where rows begin at multiples
// of 16 bytes a lane stores so many.
__device__ inline void store_sums(float* sums, const float (*from)[kRow], int rows, int features) {
  const int lane = threadIdx.x % kWarpSize;
  if (features % 4 == 0) {
    for (int i = lane * 4; i < rows * kMaxFeatures; i += kWarpSize * 4) {
      const int row = i / kMaxFeatures, f = i % kMaxFeatures;
      const float4 four = *reinterpret_cast<const float4*>(&from[row][f]);
      if (f < features) *reinterpret_cast<float4*>(&sums[row * features + f]) = four;
    }
  } else {
    for (int row = 0; row < rows; ++row)
      for (int f = lane; f < features; f += kWarpSize) sums[row * features + f] = from[row][f];
  }
}
