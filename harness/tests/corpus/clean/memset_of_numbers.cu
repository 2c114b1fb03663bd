// Values that make sense byte by byte.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add(int* total, const int* x, const float* f, const unsigned char* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flags[i]) atomicAdd(total, x[i] + (f[i] > 0 ? 1 : 0));
}

int main() {
  const int n = 256;
  int *x, *total, h = 0;
  float* f;
  unsigned char* flags;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&f, n * sizeof(float));
  cudaMalloc(&flags, n);
  cudaMalloc(&total, sizeof(int));
  cudaMemset(x, 0x3f, n * sizeof(int));  // large, and its double fits as well
  cudaMemset(f, -1, n * sizeof(float));  // NaN
  cudaMemset(x, 255, n * sizeof(int));
  cudaMemset(flags, 1, n);
  cudaMemset(total, 0, sizeof(int));
  add<<<1, n>>>(total, x, f, flags, n);
  cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(x);
  cudaFree(f);
  cudaFree(flags);
  cudaFree(total);
}
