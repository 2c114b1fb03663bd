// As many threads as __launch_bounds__ promises.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void __launch_bounds__(128) set(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

int main() {
  const int n = 1024;
  static int h[n];
  int* d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  set<<<n / 128, 128>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[77]);
  cudaFree(d);
}
