// Wrong: the blocks of a cluster read each other's tiles as their last step, and one may have ended by then.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64, kCluster = 4;

__global__ void __cluster_dims__(kCluster, 1, 1) rotate_tiles(int* y, const int* x) {
  __shared__ int tile[kBlock];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  tile[t] = x[i];
  cluster.sync();
  const int* next = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % kCluster);
  y[i] = next[t];  // expect: race_shared
}

int main() {
  const int n = 2 * kCluster * kBlock;
  std::vector<int> x(n, 3), y(n);
  int *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_y, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  rotate_tiles<<<2 * kCluster, kBlock>>>(d_y, d_x);
  cudaMemcpy(y.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", y[0]);
  cudaFree(d_x), cudaFree(d_y);
}
