// A scan in one pass, in which each block waits for the one before it in the grid. Blocks begin in that order
// on the GPUs there are.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 32;

__global__ void scan(int* x, int* prefix, int* ready) {
  __shared__ int before;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = x[i];
  for (int offset = 1; offset < kBlock; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (threadIdx.x >= offset) sum += left;
  }
  if (threadIdx.x == kBlock - 1) {
    before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(&ready[blockIdx.x - 1], 0) == 0) {
      }
      __threadfence();
      before = prefix[blockIdx.x - 1];
    }
    prefix[blockIdx.x] = before + sum;
    __threadfence();
    atomicExch(&ready[blockIdx.x], 1);
  }
  __syncthreads();
  x[i] = before + sum;
}

int main() {
  const int blocks = 300, n = blocks * kBlock;
  std::vector<int> x(n, 1);
  int *d_x, *d_prefix, *d_ready;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_prefix, blocks * sizeof(int));
  cudaMalloc(&d_ready, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_ready, 0, blocks * sizeof(int));
  scan<<<blocks, kBlock>>>(d_x, d_prefix, d_ready);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != i + 1;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_prefix), cudaFree(d_ready);
  return wrong != 0;
}
