// Wrong: thread 0 alone fences before the barrier: what the other threads stored may be seen after the count.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 64, kBlocks = 24;

__device__ unsigned int arrived = 0;

__global__ void sum(int* total, int* partial) {
  __shared__ bool last;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  partial[i] = i;  // expect-other: race_global
  if (threadIdx.x == 0) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int mine = 0;
  for (int k = threadIdx.x; k < kBlock * kBlocks; k += kBlock) mine += partial[k];  // expect: race_global
  atomicAdd(total, mine);
}

int main() {
  int *d_total, *d_partial, total = 0;
  cudaMalloc(&d_total, sizeof(int));
  cudaMalloc(&d_partial, kBlock * kBlocks * sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  sum<<<kBlocks, kBlock>>>(d_total, d_partial);
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d\n", total);
  cudaFree(d_total), cudaFree(d_partial);
}
