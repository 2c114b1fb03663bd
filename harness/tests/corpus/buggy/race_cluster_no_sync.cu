// Wrong: a block reads its neighbour's shared memory with no cluster barrier after the neighbour filled it.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_blocks(int* x) {
  __shared__ int tile[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t] = x[i];  // expect-other: race_shared
  __syncthreads();
  const int* theirs = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1u);
  x[i] = theirs[t];  // expect: race_shared
  cluster.sync();
}

int main() {
  const int n = 256;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  swap_blocks<<<4, 64>>>(d_x);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be 64\n", x[0]);
  cudaFree(d_x);
}
