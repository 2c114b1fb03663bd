// Wrong: pinned memory is freed while a copy into it may be under way.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 300;
  int *x, *d_x;
  cudaMallocHost(&x, n * sizeof(int));
  cudaMalloc(&d_x, n * sizeof(int));
  fill<<<3, 128>>>(d_x, n);
  cudaMemcpyAsync(x, d_x, n * sizeof(int), cudaMemcpyDeviceToHost);  // expect-other: stream_race
  cudaFreeHost(x);                                                   // expect: stream_race
  std::printf("freed\n");
  cudaFree(d_x);
}
