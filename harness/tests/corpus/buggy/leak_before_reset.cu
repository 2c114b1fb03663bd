// Wrong: cudaDeviceReset() at the end takes the memory back, and hides that nobody frees it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  int* d_x;
  cudaMalloc(&d_x, 100 * sizeof(int));  // expect-warning: leak
  fill<<<1, 128>>>(d_x, 100);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
