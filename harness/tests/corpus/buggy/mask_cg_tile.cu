// Wrong: a tile of 32 is summed by those of its threads that have work; a collective needs the whole tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sum(int* total, const int* x, int n) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = threadIdx.x;
  if (i < n) {
    const int all = cg::reduce(tile, x[i], cg::plus<int>());  // expect: bad_warp_mask
    if (tile.thread_rank() == 0) atomicAdd(total, all);
  }
  tile.sync();  // expect-other: bad_warp_mask
}

int main() {
  const int n = 40;
  std::vector<int> x(n, 1);
  int *d_x, *d_total, total = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_total, 0, sizeof(int));
  sum<<<1, 64>>>(d_total, d_x, n);
  cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, should be %d\n", total, n);
  cudaFree(d_x);
  cudaFree(d_total);
}
