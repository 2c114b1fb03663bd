// Functions for host and device that ask by the preprocessor where they run, as headers for both do.
#include <cuda_runtime.h>
#include <cstdio>

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 0;
#endif
}

// With a condition within the device's part, and a declaration that each part has of its own.
__host__ __device__ inline float scaled(float x) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 300)
  float factor = 2.0f;
#if __CUDA_ARCH__ >= 700
  factor = 4.0f;
#endif
  x = __fmul_rn(x, factor);
#else
  const float factor = 3.0f;
  x *= factor;
#endif
#ifndef __CUDA_ARCH__
  x += 100.0f;
#endif
  return x;
}

// Computed by the compiler.
__host__ __device__ constexpr int lanes() {
#ifdef __CUDA_ARCH__
  return 32;
#else
  return 1;
#endif
}
static_assert(lanes() > 0);

struct Reporter {
  int seen = 0;
  __host__ __device__ void report(int value) {
#if !defined(__CUDA_ARCH__)
    std::printf("the host sees %d\n", value);
#else
    atomicAdd(&seen, value);
#endif
  }
};

__global__ void ask(int* sides, float* values, Reporter* reporter) {
  sides[threadIdx.x] = side();
  values[threadIdx.x] = scaled(static_cast<float>(threadIdx.x));
  reporter->report(1);
}

int main() {
  constexpr int kThreads = 64;
  int* sides = nullptr;
  float* values = nullptr;
  Reporter* reporter = nullptr;
  cudaMalloc(&sides, kThreads * sizeof(int));
  cudaMalloc(&values, kThreads * sizeof(float));
  cudaMalloc(&reporter, sizeof(Reporter));
  cudaMemset(reporter, 0, sizeof(Reporter));
  ask<<<1, kThreads>>>(sides, values, reporter);
  int got[kThreads];
  float scaled_by_device[kThreads];
  Reporter seen;
  cudaMemcpy(got, sides, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(scaled_by_device, values, sizeof scaled_by_device, cudaMemcpyDeviceToHost);
  cudaMemcpy(&seen, reporter, sizeof seen, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i)
    if (got[i] != 1 || scaled_by_device[i] != 4.0f * static_cast<float>(i)) return 1;
  if (side() != 0 || scaled(1.0f) != 103.0f || seen.seen != kThreads) return 1;
  seen.report(seen.seen);
  cudaFree(sides);
  cudaFree(values);
  cudaFree(reporter);
  std::printf("both sides: PASSED\n");
}
