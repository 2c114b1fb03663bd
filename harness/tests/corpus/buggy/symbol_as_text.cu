// Wrong: the variable is named by a text, as before CUDA 5.
#include <cuda_runtime.h>
#include <cstdio>

__constant__ float weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};

__global__ void apply(float* out) { out[threadIdx.x] = weights[threadIdx.x] * 2; }

int main() {
  float h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpyToSymbol("weights", h, sizeof h);  // expect: bad_api_call
  apply<<<1, 8>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaFree(d);
}
