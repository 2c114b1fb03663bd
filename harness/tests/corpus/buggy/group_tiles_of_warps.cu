// Wrong: a tile of two warps reads what it stored with no barrier between; and threads of one end before it
// meets.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reverse(const int* x, int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  __shared__ int s[128];
  s[threadIdx.x] = x[threadIdx.x];  // expect: race_shared
  const int first = tile.meta_group_rank() * 64;
  out[threadIdx.x] = s[first + 63 - tile.thread_rank()];  // expect: race_shared; may: uninit_shared
}

__global__ void sum(const int* x, int* out, int n) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int all = cg::reduce(tile, x[i], cg::plus<int>());  // expect: barrier_exit
  if (tile.thread_rank() == 0) atomicAdd(out, all);
}

int main() {
  const int n = 128;
  int h[n], *x, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(x, out);
  sum<<<1, n>>>(x, out, 100);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
