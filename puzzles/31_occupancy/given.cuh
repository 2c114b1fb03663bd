// Puzzle 31, what the learner is handed: the kernels around resident_blocks() and walk(), and arithmetic.
#pragma once

#include <cuda_runtime.h>

#include "sizes.h"

__host__ __device__ constexpr int smaller(int a, int b) { return a < b ? a : b; }
__host__ __device__ constexpr int divide_up(int a, int b) { return (a + b - 1) / b; }
// The smallest multiple of `unit` that is not below `value`.
__host__ __device__ constexpr int round_up(int value, int unit) { return divide_up(value, unit) * unit; }

__device__ inline float4 scaled(float4 v, float factor) {
  return make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
}

// In kernels.cu.
__host__ __device__ inline int resident_blocks(int threads, int shared, int registers);
__device__ inline int walk(const unsigned char* values, const int* next, int page, int lane);

// --limits: a thread a row of needs.
__global__ void limits_kernel(int* blocks, const int* threads, const int* shared, const int* registers,
                              int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) blocks[i] = resident_blocks(threads[i], shared[i], registers[i]);
}

// --narrow and --wide: a warp a list, in blocks of any number of warps.
__global__ void walk_kernel(int* out, const unsigned char* values, const int* next, const int* head,
                            int lists) {
  const int lane = threadIdx.x % kWarpSize;
  const int list = (blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize;
  if (list < lists) out[list * kPage + lane] = walk(values, next, head[list], lane);
}
