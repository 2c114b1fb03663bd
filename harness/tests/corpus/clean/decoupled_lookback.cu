// A scan in one pass: a block publishes its sum, then walks back over its predecessors' until it meets one
// that knows its prefix. Blocks take their number from a counter, so that a predecessor is always running.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;
enum State : int { kNothing, kSum, kPrefix };

struct Tile {
  int state, sum, prefix;
};

__device__ int lookback(Tile* tiles, int tile) {
  int before = 0;
  for (int t = tile - 1; t >= 0; --t) {
    volatile Tile* other = &tiles[t];
    int state;
    while ((state = other->state) == kNothing) {
    }
    __threadfence();
    if (state == kPrefix) return before + other->prefix;
    before += other->sum;
  }
  return before;
}

__global__ void scan(int* x, Tile* tiles, int* next_tile) {
  __shared__ int values[kBlock], tile, before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(next_tile, 1);
  __syncthreads();
  values[t] = x[tile * kBlock + t];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    const int left = t >= offset ? values[t - offset] : 0;
    __syncthreads();
    values[t] += left;
    __syncthreads();
  }
  if (t == 0) {
    volatile Tile* mine = &tiles[tile];
    const int sum = values[kBlock - 1];
    mine->sum = sum;
    __threadfence();
    mine->state = kSum;
    before = lookback(tiles, tile);
    mine->prefix = before + sum;
    __threadfence();
    mine->state = kPrefix;
  }
  __syncthreads();
  x[tile * kBlock + t] = before + values[t];
}

int main() {
  const int blocks = 20, n = blocks * kBlock;
  std::vector<int> x(n, 1);
  int *d_x, *d_next;
  Tile* d_tiles;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_tiles, blocks * sizeof(Tile));
  cudaMalloc(&d_next, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_tiles, 0, blocks * sizeof(Tile));
  cudaMemset(d_next, 0, sizeof(int));
  scan<<<blocks, kBlock>>>(d_x, d_tiles, d_next);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != i + 1;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_tiles), cudaFree(d_next);
  return wrong != 0;
}
