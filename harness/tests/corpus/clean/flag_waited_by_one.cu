// A chain of blocks: one thread of each waits for the flag of the block before, and a barrier, or
// __syncwarp() for the warp that it belongs to, tells the others.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 96, kBlocks = 8;

__device__ int values[kBlocks + 1][kBlock];
__device__ volatile int ready[kBlocks + 1];

template <bool kByWarp>
__global__ void chain(int turn) {
  const int b = blockIdx.x, t = threadIdx.x;
  if (kByWarp ? t % 32 == 0 : t == 0) {
    while (ready[b] != turn && b > 0) {
    }
    __threadfence();
  }
  if (kByWarp)
    __syncwarp();
  else
    __syncthreads();
  values[b + 1][t] = (b > 0 ? values[b][t] : t) + 1;
  __threadfence();
  __syncthreads();
  if (t == 0) ready[b + 1] = turn;
}

int main() {
  chain<false><<<kBlocks, kBlock>>>(1);
  chain<true><<<kBlocks, kBlock>>>(2);
  int got[kBlocks + 1][kBlock], wrong = 0;
  cudaMemcpyFromSymbol(got, values, sizeof got);
  for (int t = 0; t < kBlock; ++t) wrong += got[kBlocks][t] != t + kBlocks;
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
