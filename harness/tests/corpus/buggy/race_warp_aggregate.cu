// Wrong: each warp adds its own sum to the block's with a plain +=; only the lanes of a warp are in order.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(int* sums, const int* x) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int mine = __reduce_add_sync(0xffffffffu, x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x % 32 == 0) total += mine;  // expect: race_shared
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

int main() {
  const int block = 128, blocks = 2, n = block * blocks;
  std::vector<int> x(n, 1), sums(blocks);
  int *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_sums, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<blocks, block>>>(d_sums, d_x);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d and %d, should be %d\n", sums[0], sums[1], block);
  cudaFree(d_x);
  cudaFree(d_sums);
}
