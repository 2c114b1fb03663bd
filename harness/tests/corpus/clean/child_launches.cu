// Children with memory of their own, in one block's order, and a last one that waits for them all.
#include <cuda_runtime.h>

__device__ int total;

__global__ void fill(int* y, int value) { y[threadIdx.x] = value; }

__global__ void add(const int* y) { atomicAdd(&total, y[threadIdx.x]); }

__global__ void report(int* sum) { *sum = total; }

__global__ void parent(int* y, int* sum) {
  int* const mine = y + blockIdx.x * 32;
  mine[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x != 0) return;
  fill<<<1, 32>>>(mine, static_cast<int>(blockIdx.x));
  add<<<1, 32>>>(mine);
  if (blockIdx.x == 0) report<<<1, 1, 0, cudaStreamTailLaunch>>>(sum);
}

int main() {
  const int blocks = 4;
  int *y, *sum, got = 0;
  cudaMalloc(&y, blocks * 32 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  parent<<<blocks, 32>>>(y, sum);
  cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(y);
  cudaFree(sum);
  return got == 32 * (0 + 1 + 2 + 3) ? 0 : 1;
}
