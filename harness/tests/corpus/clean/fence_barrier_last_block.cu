// Every thread stores its part and fences it; behind the barrier one thread counts the block for all. The
// last block to be counted reads what the others stored, and resets the counter.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 64, kBlocks = 24;

__device__ unsigned int arrived = 0;

__global__ void sum(int* total, int* partial) {
  __shared__ bool last;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  partial[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  int mine = 0;
  for (int k = threadIdx.x; k < kBlock * kBlocks; k += kBlock) mine += partial[k];
  atomicAdd(total, mine);
  if (threadIdx.x == 0) arrived = 0;
}

int main() {
  int *d_total, *d_partial, total = 0;
  cudaMalloc(&d_total, sizeof(int));
  cudaMalloc(&d_partial, kBlock * kBlocks * sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  for (int launch = 0; launch < 5; ++launch) sum<<<kBlocks, kBlock>>>(d_total, d_partial);
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d\n", total);
  const int n = kBlock * kBlocks;
  cudaFree(d_total), cudaFree(d_partial);
  return total != 5 * (n * (n - 1) / 2);
}
