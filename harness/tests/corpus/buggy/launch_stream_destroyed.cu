// Wrong: a launch into a stream that is gone.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamDestroy(s);
  fill<<<1, 32, 0, s>>>(d);  // expect: bad_launch
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
