// Puzzle 44, what the learner is handed: sums and maxima over a warp and over a row of a tile, 1 / rms, and
// the launches of --unfused and --norms-inside that are not the lesson.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "sizes.h"

// Inside the square root: it keeps a row of zeros from dividing by 0.
constexpr float kEpsilon = 1e-5f;

constexpr unsigned kAllLanes = 0xffffffffu;

// Tensors hold half; what is computed is float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline half to_half(float value) { return __float2half(value); }

// 1 / rms of a row with this sum of squares (Puzzle 41).
__device__ inline float inverse_rms(float squares, int features) {
  return rsqrtf(squares / features + kEpsilon);
}

// Every lane gets the sum of the warp's 32 values, or the largest of them (Puzzle 24).
__device__ inline float warp_sum(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}
__device__ inline float warp_max(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

// The sum of `value` over the kTile threads of one row of a tile, in each of them: half a warp.
__device__ inline float tile_row_sum(float value) {
  for (int distance = kTile / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// Every thread gets the sum over the block's kBlockSize values, or the largest of them. All threads must
// call.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kWarps];
  __syncthreads();  // nobody reads what a call before has left
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  value = 0.0f;
  for (const float other : of_warp) value += other;
  return value;
}
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kWarps];
  __syncthreads();
  value = warp_max(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  for (const float other : of_warp) value = fmaxf(value, other);
  return value;
}

// --unfused, the third of its launches: scores = scale * q_norm k_norm^T, head by head. A block of kTile x
// kTile threads computes one tile of the scores of head blockIdx.z (Puzzle 19).
__global__ void scores_kernel(half* scores, const half* q_norm, const half* k_norm, float scale, int queries,
                              int keys, int features) {
  __shared__ float q_tile[kTile][kTile];
  __shared__ float k_tile[kTile][kTile + 1];  // read down its columns: rows of 16 would meet in two banks
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int head = blockIdx.z, first_key = blockIdx.x * kTile;
  const int query = blockIdx.y * kTile + ty, key = first_key + tx;
  float product = 0.0f;
  for (int first = 0; first < features; first += kTile) {
    const int f = first + tx;
    q_tile[ty][tx] =
        f < features && query < queries ? to_float(q_norm[(head * queries + query) * features + f]) : 0.0f;
    k_tile[ty][tx] = f < features && first_key + ty < keys
                         ? to_float(k_norm[(head * keys + first_key + ty) * features + f])
                         : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int i = 0; i < kTile; ++i) product += q_tile[ty][i] * k_tile[tx][i];
    __syncthreads();  // nobody reads them any more
  }
  if (query < queries && key < keys) scores[(head * queries + query) * keys + key] = to_half(scale * product);
}

// Each row of `scores` [rows, keys]: exp(score - largest of the row) / sum of them. A block a row (Puzzle
// 18).
__global__ void softmax_kernel(half* weights, const half* scores, int keys) {
  const int row = blockIdx.x * keys;
  float largest = -INFINITY, total = 0.0f;
  for (int j = threadIdx.x; j < keys; j += kBlockSize) largest = fmaxf(largest, to_float(scores[row + j]));
  largest = block_max(largest);
  for (int j = threadIdx.x; j < keys; j += kBlockSize) total += expf(to_float(scores[row + j]) - largest);
  total = block_sum(total);
  for (int j = threadIdx.x; j < keys; j += kBlockSize)
    weights[row + j] = to_half(expf(to_float(scores[row + j]) - largest) / total);
}

// out = weights v, head by head: the tiled product of Puzzle 16 for half.
__global__ void values_kernel(half* out, const half* weights, const half* v, int queries, int keys,
                              int features) {
  __shared__ float weight_tile[kTile][kTile];
  __shared__ float v_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x;
  const int head = blockIdx.z;
  const int query = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < keys; first += kTile) {
    weight_tile[ty][tx] = query < queries && first + tx < keys
                              ? to_float(weights[(head * queries + query) * keys + first + tx])
                              : 0.0f;
    v_tile[ty][tx] = first + ty < keys && column < features
                         ? to_float(v[(head * keys + first + ty) * features + column])
                         : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int i = 0; i < kTile; ++i) sum += weight_tile[ty][i] * v_tile[i][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (query < queries && column < features) out[(head * queries + query) * features + column] = to_half(sum);
}
