// Locks with fences around what they guard: each thread its own turn, one thread for its block, and a ticket
// lock.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlock = 48, kBlocks = 6;

struct Guarded {
  int lock;
  unsigned int ticket;
  volatile unsigned int serving;
  int by_thread, by_block[kBlock], by_ticket;
};

__global__ void by_thread(Guarded* g) {
  for (bool done = false; !done;) {
    if (atomicCAS(&g->lock, 0, 1) == 0) {
      __threadfence();
      g->by_thread += 1;
      __threadfence();
      atomicExch(&g->lock, 0);
      done = true;
    }
  }
}

__global__ void by_block(Guarded* g) {
  if (threadIdx.x == 0)
    while (atomicCAS(&g->lock, 0, 1) != 0) {
    }
  __syncthreads();
  __threadfence();
  g->by_block[threadIdx.x] += 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&g->lock, 0);
}

__global__ void by_ticket(Guarded* g) {
  if (threadIdx.x > 0) return;
  const unsigned int mine = atomicAdd(&g->ticket, 1u);
  while (g->serving != mine) {
  }
  __threadfence();
  g->by_ticket += 1;
  __threadfence();
  g->serving = mine + 1;
}

int main() {
  Guarded *d, g;
  cudaMalloc(&d, sizeof(Guarded));
  cudaMemset(d, 0, sizeof(Guarded));
  by_thread<<<kBlocks, kBlock>>>(d);
  by_block<<<kBlocks, kBlock>>>(d);
  by_ticket<<<kBlocks, kBlock>>>(d);
  cudaMemcpy(&g, d, sizeof g, cudaMemcpyDeviceToHost);
  int wrong = (g.by_thread != kBlocks * kBlock) + (g.by_ticket != kBlocks);
  for (int v : g.by_block) wrong += v != kBlocks;
  std::printf("%d wrong\n", wrong);
  cudaFree(d);
  return wrong != 0;
}
