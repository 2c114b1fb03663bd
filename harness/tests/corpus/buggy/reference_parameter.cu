// Wrong: a kernel has a reference to a variable of the host.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void count(int& total, const int& least, const int* x) {
  if (x[threadIdx.x] >= least) atomicAdd(&total, 1);
}

int main() {
  int h[64], *x, *shared;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMallocManaged(&shared, 2 * sizeof(int));
  shared[0] = 0;
  shared[1] = 10;
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  int total = 0;
  count<<<1, 64>>>(total, shared[1], x);  // expect: host_deref
  cudaDeviceSynchronize();
  printf("%d\n", total);
  cudaFree(x);
  cudaFree(shared);
}
