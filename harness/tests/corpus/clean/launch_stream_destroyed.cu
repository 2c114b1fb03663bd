// A stream lives as long as it is used.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<1, 32, 0, s>>>(d);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
