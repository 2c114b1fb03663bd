// Wrong: two extern arrays, one address.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void pairs(float* out) {
  extern __shared__ float a[];
  extern __shared__ int b[];
  const int t = threadIdx.x;
  a[t] = t * 0.5f;  // expect-other: oob_shared
  b[t] = t;         // expect: oob_shared
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
