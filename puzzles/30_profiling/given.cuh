// Puzzle 30, what the learner is handed: moving sums, and the three kernels that are to be profiled. Each of
// them is right, and slow for a reason of its own.
//   x [steps + kWindow - 1, channels], out [steps, channels], row-major; channels is a multiple of kLanes
//   out[step][channel] = x[step][channel] + x[step + 1][channel] + ... + x[step + kWindow - 1][channel]
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

__device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// The sum of kWindow elements, of which each lies `pitch` behind the one before.
template <class T>
__device__ inline T window_sum(const T* first, int pitch) {
  T sum = {};
#pragma unroll
  for (int k = 0; k < kWindow; ++k) sum = sum + first[k * pitch];
  return sum;
}

// --columns: grid of ceil(steps / kColumnsBlock) x ceil(channels / kRun).
__global__ void columns_kernel(float* out, const float* x, int steps, int channels) {
  const int step = blockIdx.x * kColumnsBlock + threadIdx.x;
  if (step >= steps) return;
  for (int channel = blockIdx.y * kRun; channel < (blockIdx.y + 1) * kRun && channel < channels; ++channel)
    out[step * channels + channel] = window_sum(x + step * channels + channel, channels);
}

// What a warp of --thrash and of --tiles does: a tile of kHigh rows of kWide float4 of out, of which the
// first is in row `step` at `vector`, row by row. A row is `vectors` float4 long.
template <int kHigh, int kWide>
__device__ inline void sum_tile(float4* out, const float4* x, int step, int vector, int steps, int vectors) {
  for (int i = threadIdx.x; i < kHigh * kWide; i += kWarpSize) {
    const int row = step + i / kWide, at = vector + i % kWide;
    if (row < steps && at < vectors) out[row * vectors + at] = window_sum(x + row * vectors + at, vectors);
  }
}

// --thrash: blocks of one warp, grid of ceil(vectors / kThrashWide) x ceil(steps / kThrashHigh).
__global__ void thrash_kernel(float4* out, const float4* x, int steps, int vectors) {
  sum_tile<kThrashHigh, kThrashWide>(out, x, blockIdx.y * kThrashHigh, blockIdx.x * kThrashWide, steps,
                                     vectors);
}

// --chain: grid of ceil(channels / kChainBlock). The window of the next step has one element more and one
// less.
__global__ void chain_kernel(float* out, const float* x, int steps, int channels) {
  const int channel = blockIdx.x * kChainBlock + threadIdx.x;
  if (channel >= channels) return;
  float sum = window_sum(x + channel, channels);
  out[channel] = sum;
  for (int step = 1; step < steps; ++step) {
    sum += x[(step + kWindow - 1) * channels + channel] - x[(step - 1) * channels + channel];
    out[step * channels + channel] = sum;
  }
}
