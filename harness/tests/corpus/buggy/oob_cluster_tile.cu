// Wrong: an index past the tile of another block of the cluster.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64;

__global__ void __cluster_dims__(2, 1, 1) shift(int* y, const int* x) {
  __shared__ int tile[kBlock];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  tile[t] = x[i];
  cluster.sync();
  y[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[t + 1];  // expect: oob_shared
  cluster.sync();
}

int main() {
  const int n = 2 * kBlock;
  std::vector<int> x(n, 3);
  int *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_y, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<2, kBlock>>>(d_y, d_x);
  cudaDeviceSynchronize();
  cudaFree(d_x), cudaFree(d_y);
}
