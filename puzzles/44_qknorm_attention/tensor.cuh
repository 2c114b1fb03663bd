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

// Begins to copy rows of `from`, [rows, features], to a tile, and does not wait for it. 0 where there is no
// such row or feature. The block together, a thread 16 bytes, a warp 4 rows. Where rows do not begin at
// multiples of 16 bytes the warp copies the same 4 rows element by element, and waits for them.
__device__ inline void copy_rows(half (*tile)[kRow], const half* from, int rows, int features) {
  for (int i = threadIdx.x; i < kTensorKeys * kMaxFeatures / 8; i += kTensorThreads) {
    if (features % 8 == 0) {
      const int row = i * 8 / kMaxFeatures, f = i * 8 % kMaxFeatures;
      const bool inside = row < rows && f < features;
      __pipeline_memcpy_async(&tile[row][f], inside ? from + row * features + f : from, 16, inside ? 0 : 16);
    } else {
      const int lane = i % kWarpSize;
      for (int at = (i - lane) * 8 + lane; at < (i - lane + kWarpSize) * 8; at += kWarpSize) {
        const int row = at / kMaxFeatures, f = at % kMaxFeatures;
        tile[row][f] = row < rows && f < features ? from[row * features + f] : to_half(0.0f);
      }
    }
  }
}

// Begins to copy a tile of keys: those from `first` to below `end`, of one head's k and v. Always one commit,
// so that waiting can count them.
__device__ inline void copy_tile(KeyTile& tile, const half* k, const half* v, int first, int end,
                                 int features) {
  if (first < end) {
    copy_rows(tile.k, k + first * features, end - first, features);
    copy_rows(tile.v, v + first * features, end - first, features);
  }
  __pipeline_commit();
}

// 1 / rms of each key of the tile. A warp squares the rows that it has copied itself: its lanes have waited
// for their own copies, and wait here for each other, not for the block. Eight lanes have one row.
__device__ inline void find_factors(KeyTile& tile, int features) {
  union Eight {
    uint4 bits;
    half of[8];
  };
  __syncwarp();
  for (int i = threadIdx.x; i < kTensorKeys * kMaxFeatures / 8; i += kTensorThreads) {
    const int row = i * 8 / kMaxFeatures, f = i * 8 % kMaxFeatures;
    const Eight eight = {*reinterpret_cast<const uint4*>(&tile.k[row][f])};
    float squares = 0.0f;
    for (const half value : eight.of) squares += to_float(value) * to_float(value);
    for (int distance = kMaxFeatures / 8 / 2; distance > 0; distance /= 2)
      squares += __shfl_xor_sync(kAllLanes, squares, distance);
    if (f == 0) tile.k_factor[row] = inverse_rms(squares, features);
  }
}

// kTile rows of q from `first` on, as a warp's factor of all scores: with both gains, `scale` and 1 / rms,
// back in half. Past the last query: the last one again, which nobody stores. 0 past the last feature.
__device__ inline void load_queries(half (*rows)[kRow], const half* q, const half* gq, const half* gk,
                                    float scale, int first, int queries, int features) {
  constexpr int kColumns = kMaxFeatures / kWarpSize;  // of a lane: lane, lane + 32
  const int lane = threadIdx.x % kWarpSize;
  float gains[kColumns];
  for (int j = 0; j < kColumns; ++j) {
    const int f = lane + j * kWarpSize;
    gains[j] = f < features ? to_float(gq[f]) * to_float(gk[f]) : 0.0f;
  }
#pragma unroll  // all rows are on their way before the first is waited for
  for (int row = 0; row < kTile; ++row) {
    const half* q_row = q + min(first + row, queries - 1) * features;
    float values[kColumns], squares = 0.0f;
    for (int j = 0; j < kColumns; ++j) {
      const int f = lane + j * kWarpSize;
      values[j] = f < features ? to_float(q_row[f]) : 0.0f;
      squares += values[j] * values[j];
    }
    const float factor = scale * inverse_rms(warp_sum(squares), features);
    for (int j = 0; j < kColumns; ++j)
      rows[row][lane + j * kWarpSize] = to_half(values[j] * gains[j] * factor);
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
