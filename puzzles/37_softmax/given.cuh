// Puzzle 37, what the learner is handed: the maximum and the sum of a block (Puzzle 24), the kernels of
// --five that are not row_max_kernel, the pair that --online keeps, and what --registers does with a float4.
#pragma once

#include <cuda_runtime.h>

#include <cfloat>

#include "sizes.h"

constexpr unsigned kAllLanes = 0xffffffffu;

// The maximum of no numbers at all: below everything else, and finite. kLowest - kLowest is 0; with -infinity
// in its place the difference of two threads without elements would be NaN.
constexpr float kLowest = -FLT_MAX;

__device__ inline float warp_max(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, offset));
  return value;
}

__device__ inline float warp_sum(float value) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
    value += __shfl_xor_sync(kAllLanes, value, offset);
  return value;
}

// The maximum over all threads of the block, in every thread. All of them call it, once.
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kWarpSize];
  const int lane = threadIdx.x % kWarpSize, warps = blockDim.x / kWarpSize;
  value = warp_max(value);
  if (lane == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  return warp_max(lane < warps ? of_warp[lane] : kLowest);
}

// The sum over all threads of the block, in every thread. All of them call it, once.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kWarpSize];
  const int lane = threadIdx.x % kWarpSize, warps = blockDim.x / kWarpSize;
  value = warp_sum(value);
  if (lane == 0) of_warp[threadIdx.x / kWarpSize] = value;
  __syncthreads();
  return warp_sum(lane < warps ? of_warp[lane] : 0.0f);
}

// --five, launches 2 to 5. A block has a row in each of them, kBlockSize of its elements at a time.

__global__ void subtract_kernel(float* shifted, const float* x, const float* maxima, int columns) {
  const float largest = maxima[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kBlockSize)
    shifted[blockIdx.x * columns + c] = x[blockIdx.x * columns + c] - largest;
}

__global__ void exp_kernel(float* exponentials, const float* shifted, int columns) {
  for (int c = threadIdx.x; c < columns; c += kBlockSize)
    exponentials[blockIdx.x * columns + c] = expf(shifted[blockIdx.x * columns + c]);
}

__global__ void row_sum_kernel(float* sums, const float* exponentials, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += kBlockSize) sum += exponentials[blockIdx.x * columns + c];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void divide_kernel(float* y, const float* exponentials, const float* sums, int columns) {
  const float sum = sums[blockIdx.x];
  for (int c = threadIdx.x; c < columns; c += kBlockSize)
    y[blockIdx.x * columns + c] = exponentials[blockIdx.x * columns + c] / sum;
}

// What is known of some elements of a row: the largest of them, and the sum of exp(element - maximum) over
// them. Of one element it is {element, 1}, of none {kLowest, 0}.
struct Partial {
  float maximum;
  float sum;
};

// --registers
constexpr int kRowThreads = 512;

__device__ inline float max_of(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }

__device__ inline float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// exp(element - maximum) of each of the four.
__device__ inline float4 exp_of(float4 v, float maximum) {
  return {expf(v.x - maximum), expf(v.y - maximum), expf(v.z - maximum), expf(v.w - maximum)};
}

__device__ inline float4 scaled(float4 v, float factor) {
  return {v.x * factor, v.y * factor, v.z * factor, v.w * factor};
}
