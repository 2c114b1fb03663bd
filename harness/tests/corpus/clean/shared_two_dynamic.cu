// One extern array, in two parts.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void pairs(float* out) {
  extern __shared__ float a[];
  int* b = (int*)(a + blockDim.x);
  const int t = threadIdx.x;
  a[t] = t * 0.5f;
  b[t] = t;
  __syncthreads();
  out[t] = a[blockDim.x - 1 - t] + b[t];
}

int main() {
  float h[64], *d;
  cudaMalloc(&d, sizeof h);
  pairs<<<1, 64, 64 * (sizeof(float) + sizeof(int))>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(d);
}
