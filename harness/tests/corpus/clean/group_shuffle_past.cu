// Tiles of 16 lanes are added up by distances from 8 on, and distances past a tile give a lane its own value.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(int* out, const int* in) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = in[threadIdx.x];
  for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);
  const int own = tile.shfl_up(v, 16);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = (v + own) / 2;
}

int main() {
  int host[64], *in, *out;
  for (int& value : host) value = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(out, in);
  cudaMemcpy(host, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(out);
}
