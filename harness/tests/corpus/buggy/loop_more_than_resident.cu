// Wrong: a barrier over the grid of one block more than the GPU holds, for each takes all shared memory of a
// multiprocessor. Those that have begun wait for the last one, which begins when one of them ends.
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
  while (atomicAdd(&arrived, 0u) < gridDim.x) {  // expect: infinite_loop
  }
  __threadfence();
  b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
}

int main() {
  const int blocks = 133, bytes = 200 * 1024;
  int *a, *b;
  cudaMalloc(&a, blocks * sizeof(int));
  cudaMalloc(&b, blocks * sizeof(int));
  cudaFuncSetAttribute(mirror, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  mirror<<<blocks, 32, bytes>>>(a, b);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
}
