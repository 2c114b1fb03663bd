// Barriers inside conditions and loops that are the same for the whole block, though not for the grid.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void rotate(int* x, int blocks_to_rotate) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  int* mine = x + blockIdx.x * kBlock;
  if (blockIdx.x < blocks_to_rotate) {
    for (int turn = 0; turn <= blockIdx.x; ++turn) {
      tile[t] = mine[t];
      __syncthreads();
      mine[t] = tile[(t + 1) % kBlock];
      __syncthreads();
    }
  } else if (t < 32) {
    mine[t] = -1;
  }
}

int main() {
  const int blocks = 4, n = blocks * kBlock;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i % kBlock;
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  rotate<<<blocks, kBlock>>>(d_x, 3);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < kBlock; ++t)
      wrong += x[b * kBlock + t] != (b < 3 ? (t + b + 1) % kBlock : t < 32 ? -1 : t);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  return wrong != 0;
}
