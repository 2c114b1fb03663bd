// Every block of a cluster puts its sum into the shared memory of the first, which adds them up.
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64, kCluster = 4;

__global__ void __cluster_dims__(kCluster, 1, 1) sum(int* out, const int* x) {
  __shared__ int mine[kBlock];
  __shared__ int of_blocks[kCluster];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = cluster.block_rank();
  mine[t] = x[blockIdx.x * kBlock + t];
  __syncthreads();
  cluster.sync();  // the first block runs from here on
  if (t == 0) {
    int all = 0;
    for (int i = 0; i < kBlock; ++i) all += mine[i];
    cluster.map_shared_rank(of_blocks, 0)[rank] = all;
  }
  cluster.sync();
  if (rank == 0 && t == 0) {
    int all = 0;
    for (int i = 0; i < kCluster; ++i) all += of_blocks[i];
    out[blockIdx.x / kCluster] = all;
  }
}

int main() {
  const int clusters = 3, n = clusters * kCluster * kBlock;
  std::vector<int> x(n, 1), got(clusters);
  int *d_x, *d_out;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_out, clusters * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<clusters * kCluster, kBlock>>>(d_out, d_x);
  cudaMemcpy(got.data(), d_out, clusters * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const int v : got) wrong += v != kCluster * kBlock;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_out);
  return wrong != 0;
}
