// The comparison is part of the atomic.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void largest(int* best, const int* x) {
  const int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMax(best, v);
}

int main() {
  const int n = 1024;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i * 37 % 1021;
  int *d_x, *best, b = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&best, sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  largest<<<n / 128, 128>>>(best, d_x);
  cudaMemcpy(&b, best, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", b);
  cudaFree(d_x);
  cudaFree(best);
}
