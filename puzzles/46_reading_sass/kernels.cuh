// Puzzle 46, the kernels that the questions are about: GELU written four times, and a kernel that needs many
// registers. The four give the same numbers up to rounding; what the compiler makes of them differs.
#pragma once

#include "given.cuh"

constexpr int kValues = 32;        // of one thread of spill_kernel
constexpr int kSpillBlock = 1024;  // its threads

// One element a thread, and tanhf as the library has it.
__global__ void scalar_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = 0.5f * x[i] * (1.0f + tanhf(inner(x[i])));
}

// One element a thread, and the short form of the exponential.
__global__ void fast_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) y[i] = gelu_fast(x[i]);
}

// Four elements a thread. `size` is a multiple of 4.
__global__ void vector_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size / 4) return;
  const float4 v = reinterpret_cast<const float4*>(x)[i];
  reinterpret_cast<float4*>(y)[i] = float4{gelu_fast(v.x), gelu_fast(v.y), gelu_fast(v.z), gelu_fast(v.w)};
}

// Beyond 4 on either side GELU is x or 0 to five digits: those threads need no exponential.
__global__ void branch_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const float v = x[i];
  float result = v > 0.0f ? v : 0.0f;
  if (fabsf(v) < 4.0f) result = 0.5f * v * (1.0f + tanhf(inner(v)));
  y[i] = result;
}

// One block; each thread scales its kValues values so that the largest is 1 or -1, and so has to hold all of
// them until it knows the largest. Two blocks of 1024 threads on a multiprocessor of 65 536 registers leave
// 32 a thread: the second number of __launch_bounds__ asks for that. Both arrays have kValues * 1024
// elements.
__global__ void __launch_bounds__(kSpillBlock, 2) spill_kernel(float* y, const float* x) {
  float v[kValues];
  float largest = 1e-6f;
#pragma unroll
  for (int k = 0; k < kValues; ++k) {
    v[k] = x[k * kSpillBlock + threadIdx.x];
    largest = fmaxf(largest, fabsf(v[k]));
  }
  const float scale = __fdividef(1.0f, largest);
#pragma unroll
  for (int k = 0; k < kValues; ++k) y[k * kSpillBlock + threadIdx.x] = v[k] * scale;
}
