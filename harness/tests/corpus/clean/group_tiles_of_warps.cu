// Right: tiles of 64 and 128 threads meet, reduce, scan, vote and show each other values; one is divided into
// warps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
namespace cg = cooperative_groups;
__global__ void k(const int* x, int* y, float* f) {
  __shared__ cg::block_tile_memory<256> mem;
  auto block = cg::this_thread_block(mem);
  auto tile = cg::tiled_partition<64>(block);
  auto big = cg::tiled_partition<128>(block);
  auto warp = cg::tiled_partition<32>(tile);
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[t];
  tile.sync();
  int v = s[tile.meta_group_rank() * 64 + 63 - tile.thread_rank()];
  int sum = cg::reduce(tile, v, cg::plus<int>());
  float fs = cg::reduce(big, 0.5f * x[t], cg::plus<float>());
  int scan = cg::exclusive_scan(big, 1);
  int sh = tile.shfl(v, 5);
  int an = tile.any(v == 7), al = tile.all(v >= 0);
  if (tile.thread_rank() == 0) y[tile.meta_group_rank()] = sum;
  if (t == 255) {
    y[4] = scan;
    y[5] = sh;
    y[6] = al;
    y[7] = warp.meta_group_rank();
    *f = fs;
  }
  if (t == 0) y[8] = an;
}
int main() {
  int h[256], r[9], *x, *y;
  float *f, fr;
  for (int i = 0; i < 256; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, 36);
  cudaMalloc(&f, 4);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  for (int l = 0; l < 2; l++) k<<<1, 256>>>(x, y, f);
  cudaMemcpy(r, y, 36, cudaMemcpyDeviceToHost);
  cudaMemcpy(&fr, f, 4, cudaMemcpyDeviceToHost);
  for (int v : r) printf("%d ", v);
  printf("%g\n", fr);
  cudaFree(x);
  cudaFree(y);
  cudaFree(f);
  const int want[9] = {2016, 6112, 10208, 14304, 127, 250, 1, 1, 1};
  for (int i = 0; i < 9; i++)
    if (r[i] != want[i]) return 1;
  return fr != 12256;
}
