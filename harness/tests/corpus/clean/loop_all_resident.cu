// A barrier over the grid of as many blocks as the GPU holds: each takes all shared memory of a
// multiprocessor.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned arrived;

__global__ void mirror(int* a, int* b) {
  extern __shared__ int room[];
  if (threadIdx.x != 0) return;
  room[0] = blockIdx.x;
  a[blockIdx.x] = room[0];
  __threadfence();
  atomicAdd(&arrived, 1u);
  while (atomicAdd(&arrived, 0u) < gridDim.x) {
  }
  __threadfence();
  b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
}

int main() {
  const int blocks = 132, bytes = 200 * 1024;
  int *a, *b;
  cudaMalloc(&a, blocks * sizeof(int));
  cudaMalloc(&b, blocks * sizeof(int));
  cudaFuncSetAttribute(mirror, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  mirror<<<blocks, 32, bytes>>>(a, b);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
