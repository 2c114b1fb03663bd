// A reduction whose last steps stay within one warp: read, __syncwarp(), write, __syncwarp().
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void sum(int* sums, const int* x) {
  __shared__ int partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = x[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int stride = kBlock / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    int mine = partial[t];
    for (int stride = 16; stride > 0; stride /= 2) {
      mine += partial[t + stride];
      __syncwarp();
      partial[t] = mine;
      __syncwarp();
    }
    if (t == 0) sums[blockIdx.x] = mine;
  }
}

int main() {
  const int blocks = 3, n = blocks * kBlock;
  std::vector<int> x(n, 2), sums(blocks);
  int *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_sums, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<blocks, kBlock>>>(d_sums, d_x);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const int s : sums) wrong += s != 2 * kBlock;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_sums);
  return wrong != 0;
}
