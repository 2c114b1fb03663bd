// Wrong: a loop counts to a million millions. What its kernel has not stored by the time that it is ended
// says nothing about those who read it.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void sum(const float* x, float* y) {
  float s = 0;
  for (long long i = 0; i < 1'000'000'000'000; ++i) s += x[0] * 0.5f;  // expect: infinite_loop
  y[threadIdx.x] = s;
}

__global__ void twice(const float* y, float* z) { z[threadIdx.x] = 2 * y[threadIdx.x]; }

int main() {
  const int n = 32;
  float *x, *y, *z, one = 1, h[n];
  cudaMalloc(&x, sizeof one);
  cudaMalloc(&y, sizeof h);
  cudaMalloc(&z, sizeof h);
  cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice);
  sum<<<1, n>>>(x, y);
  twice<<<1, n>>>(y, z);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[0]);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
