// Kernels on rows: a block of kRowBlock threads owns one row of `columns` floats, row-major.
#pragma once

#include "reduce.cuh"

constexpr int kRowBlock = 256;

/// The block's total (or, with kMaximum, the largest) of one value a thread, known to all its threads.
template <bool kMaximum>
__device__ inline float block_combine(float value) {
  __shared__ float of_warp[kRowBlock / 32];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(kAllLanes, value, offset);
    value = kMaximum ? fmaxf(value, other) : value + other;
  }
  __syncthreads();  // an earlier call's readers are done
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  float all = of_warp[0];
  for (int warp = 1; warp < kRowBlock / 32; ++warp)
    all = kMaximum ? fmaxf(all, of_warp[warp]) : all + of_warp[warp];
  return all;
}

// Three passes over the row, of which the caches answer two.
__global__ void softmax_kernel(float* out, const float* in, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float most = row[threadIdx.x];
  for (int c = threadIdx.x; c < columns; c += kRowBlock) most = fmaxf(most, row[c]);
  most = block_combine<true>(most);
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kRowBlock) sum += expf(row[c] - most);
  sum = block_combine<false>(sum);
  for (int c = threadIdx.x; c < columns; c += kRowBlock)
    out[static_cast<size_t>(blockIdx.x) * columns + c] = expf(row[c] - most) / sum;
}

// The three passes as launches of their own, each from and to memory.
__global__ void row_maximum_kernel(float* most, const float* in, int columns) {
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float mine = row[threadIdx.x];
  for (int c = threadIdx.x; c < columns; c += kRowBlock) mine = fmaxf(mine, row[c]);
  mine = block_combine<true>(mine);
  if (threadIdx.x == 0) most[blockIdx.x] = mine;
}

__global__ void row_exponential_kernel(float* exponential, float* sums, const float* in, const float* most,
                                       int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kRowBlock) {
    const float e = expf(in[first + c] - most[blockIdx.x]);
    exponential[first + c] = e;
    sum += e;
  }
  sum = block_combine<false>(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void row_divide_kernel(float* out, const float* exponential, const float* sums, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  for (int c = threadIdx.x; c < columns; c += kRowBlock)
    out[first + c] = exponential[first + c] / sums[blockIdx.x];
}

// Online: maximum and sum in one pass, the sum corrected whenever a larger maximum turns up.
__global__ void softmax_online_kernel(float* out, const float* in, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float most = in[first + threadIdx.x], sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kRowBlock) {
    const float value = in[first + c];
    if (value > most) {
      sum *= expf(most - value);
      most = value;
    }
    sum += expf(value - most);
  }
  const float largest = block_combine<true>(most);
  sum = block_combine<false>(sum * expf(most - largest));
  for (int c = threadIdx.x; c < columns; c += kRowBlock) out[first + c] = expf(in[first + c] - largest) / sum;
}

constexpr int kMostPerThread = 8;  // columns <= 8 * kRowBlock
constexpr float kEpsilon = 1e-5f;

// The row stays in registers between the passes; with `residual`, out = LayerNorm(in + residual).
template <bool kResidual>
__global__ void layernorm_row_kernel(float* out, const float* in, const float* residual, const float* gamma,
                                     const float* beta, int columns) {
  const size_t first = static_cast<size_t>(blockIdx.x) * columns;
  float mine[kMostPerThread];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kMostPerThread; ++k) {
    const int c = static_cast<int>(threadIdx.x) + k * kRowBlock;
    mine[k] = c < columns ? in[first + c] : 0.0f;
    if (kResidual && c < columns) mine[k] += residual[first + c];
    sum += mine[k];
  }
  const float mean = block_combine<false>(sum) / columns;
  float squares = 0.0f;
#pragma unroll
  for (int k = 0; k < kMostPerThread; ++k)
    if (static_cast<int>(threadIdx.x) + k * kRowBlock < columns)
      squares += (mine[k] - mean) * (mine[k] - mean);
  const float inv_std = rsqrtf(block_combine<false>(squares) / columns + kEpsilon);
#pragma unroll
  for (int k = 0; k < kMostPerThread; ++k) {
    const int c = static_cast<int>(threadIdx.x) + k * kRowBlock;
    if (c < columns) out[first + c] = (mine[k] - mean) * inv_std * gamma[c] + beta[c];
  }
}
