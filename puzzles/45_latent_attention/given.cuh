// Puzzle 45, what the learner is handed: sums over a warp and a block (Puzzle 24), softmax of rows (Puzzle
// 18), the tiled product (Puzzle 16) for each head, and how a tile of --flash is loaded.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "sizes.h"

constexpr unsigned kAllLanes = 0xffffffffu;

// What is large is half in memory. Everything is computed in float.
__device__ inline float to_float(half value) { return __half2float(value); }
__device__ inline float to_float(float value) { return value; }
__device__ inline void assign(half& element, float value) { element = __float2half(value); }
__device__ inline void assign(float& element, float value) { element = value; }

// Every lane gets the sum of the warp's 32 values.
__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

// Every thread gets the sum over the block's kThreads values, or the largest of them. All threads must call.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kWarps];
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  value = 0.0f;
  for (const float other : of_warp) value += other;
  return value;
}
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kWarps];
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, offset));
  if (threadIdx.x % kWarpSize == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  for (const float other : of_warp) value = fmaxf(value, other);
  return value;
}

// weights [rows, columns]: of each row of scores exp(x - largest) / sum of them. A block a row.
__global__ void softmax_kernel(float* weights, const float* scores, int columns) {
  const float* row = scores + blockIdx.x * columns;
  float largest = -INFINITY, sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += kThreads) largest = fmaxf(largest, row[i]);
  largest = block_max(largest);
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += expf(row[i] - largest);
  sum = block_sum(sum);
  for (int i = threadIdx.x; i < columns; i += kThreads)
    weights[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

// --unfused: out [heads, keys, width], head by head ckv [keys, latent] w [latent, width] with that head's w,
// in tiles. blockIdx.z is the head.
__global__ void decompress_kernel(half* out, const half* ckv, const half* w, int keys, int latent,
                                  int width) {
  __shared__ float c_tile[kTile][kTile];
  __shared__ float w_tile[kTile][kTile];
  const int ty = threadIdx.y, tx = threadIdx.x, head = blockIdx.z;
  const int key = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int first = 0; first < latent; first += kTile) {
    const int c = first + tx, w_c = first + ty;
    c_tile[ty][tx] = key < keys && c < latent ? to_float(ckv[key * latent + c]) : 0.0f;
    w_tile[ty][tx] =
        w_c < latent && column < width ? to_float(w[(head * latent + w_c) * width + column]) : 0.0f;
    __syncthreads();  // both tiles are complete
    for (int i = 0; i < kTile; ++i) sum += c_tile[ty][i] * w_tile[i][tx];
    __syncthreads();  // nobody reads them any more
  }
  if (key < keys && column < width) assign(out[(head * keys + key) * width + column], sum);
}

// --flash: rows `first` and on of ckv and kr, side by side: element c of ckv in column c, element r of kr in
// column kMaxLatent + r, and zeros in all other places, also in rows from `end` on.
__device__ inline void load_tile(half tile[kKeys][kRow], const half* ckv, const half* kr, int latent,
                                 int rope, int first, int end) {
  const int lane = threadIdx.x % kWarpSize;
  for (int row = threadIdx.x / kWarpSize; row < kKeys; row += kWarps) {
    const int key = first + row;
    for (int j = 0; j < kOwn; ++j) {
      const int c = lane + j * kWarpSize, r = c - kMaxLatent;
      half element = __float2half(0.0f);
      if (key < end && c < latent) element = ckv[key * latent + c];
      if (key < end && r >= 0 && r < rope) element = kr[key * rope + r];
      tile[row][c] = element;
    }
  }
}

// A lane's elements of the query of one head, in the columns of a tile: lane, lane + 32, ... Zeros elsewhere.
__device__ inline void load_query(float q[kOwn], const float* qa, const half* qr, int latent, int rope,
                                  int head, int heads) {
  for (int j = 0; j < kOwn; ++j) {
    const int c = threadIdx.x % kWarpSize + j * kWarpSize, r = c - kMaxLatent;
    q[j] = 0.0f;
    if (head < heads && c < latent) q[j] = qa[head * latent + c];
    if (head < heads && r >= 0 && r < rope) q[j] = to_float(qr[head * rope + r]);
  }
}
