// Loads whose values nobody uses are asked for all the same: they are wrong where the place is. (clang takes
// them out before the simulator hears of them, so this one is for g++.)
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 64;  // two warps

__global__ void unused(float* out, const float* a) {
  const float x = a[threadIdx.x];  // counts: global load 2
  static_cast<void>(x);
  out[threadIdx.x] = 1;  // counts: global store 2
}

__global__ void unused_sum(float* out, const float* a, int terms) {
  float sum = 0;
  for (int k = 0; k < terms; ++k) sum += a[k];  // counts: global load 10
  out[threadIdx.x] = 1;                         // counts: global store 2
}

int main() {
  float *a, *out, first = 0;
  cudaMalloc(&a, kThreads * sizeof(float));
  cudaMalloc(&out, kThreads * sizeof(float));
  cudaMemset(a, 0, kThreads * sizeof(float));
  unused<<<1, kThreads>>>(out, a);
  unused_sum<<<1, kThreads>>>(out, a, 5);
  cudaMemcpy(&first, out, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);
  cudaFree(a);
  cudaFree(out);
  return first == 1 ? 0 : 1;
}
