// Right: the last threads bring what changes nothing; who is left makes a group of its own; a tile of the
// last warp has no more threads than the block; a distance past the width where the largest is asked for.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(const float* x, float* out, int n) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float all = cg::reduce(tile, i < n ? x[i] : 0.0f, cg::plus<float>());
  if (tile.thread_rank() == 0) atomicAdd(out, all);
}

__global__ void sum_of_those_left(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto group = cg::coalesced_threads();
  const float all = cg::reduce(group, x[i], cg::plus<float>());
  if (group.thread_rank() == 0) atomicAdd(out, all);
}

__global__ void largest_of_eight(const float* x, float* out) {
  float v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, d, 8));
  if (threadIdx.x % 8 == 0) atomicAdd(out, v);
}

int main() {
  const int n = 200;
  float h[n], *x, *total, got = 0;
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&total, sizeof *total);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof *total);
  sum<<<1, 256>>>(x, total, n);
  sum<<<1, n>>>(x, total, n);
  sum_of_those_left<<<1, 256>>>(x, total, n);
  largest_of_eight<<<1, 32>>>(x, total);
  cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", got);
  cudaFree(x);
  cudaFree(total);
  return got != 3 * n + 4;
}
