// Cooperative groups' own reduce and scan over tiles of a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void places(int* place, int* largest, const int* sizes) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x;
  place[t] = cg::exclusive_scan(warp, sizes[t], cg::plus<int>());
  const int most = cg::reduce(warp, sizes[t], cg::greater<int>());
  if (warp.thread_rank() == 0) largest[warp.meta_group_rank()] = most;
}

int main() {
  const int n = 128, warps = n / 32;
  std::vector<int> sizes(n), place(n), largest(warps);
  for (int i = 0; i < n; ++i) sizes[i] = i % 7 + i / 32;
  int *d_sizes, *d_place, *d_largest;
  cudaMalloc(&d_sizes, n * sizeof(int));
  cudaMalloc(&d_place, n * sizeof(int));
  cudaMalloc(&d_largest, warps * sizeof(int));
  cudaMemcpy(d_sizes, sizes.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  places<<<1, n>>>(d_place, d_largest, d_sizes);
  cudaMemcpy(place.data(), d_place, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(largest.data(), d_largest, warps * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0, before = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 32 == 0) before = 0;
    wrong += place[i] != before;
    before += sizes[i];
  }
  for (int w = 0; w < warps; ++w) wrong += largest[w] != 6 + w;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_sizes), cudaFree(d_place), cudaFree(d_largest);
  return wrong != 0;
}
