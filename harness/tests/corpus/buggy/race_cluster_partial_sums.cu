// Wrong: the first block adds up what the others of its cluster put into its shared memory, and waits for its
// own threads only.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64, kCluster = 4;

__global__ void __cluster_dims__(kCluster, 1, 1) sum(int* out, const int* x) {
  __shared__ int of_blocks[kCluster];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = cluster.block_rank();
  cluster.sync();
  if (t == 0) {
    int all = 0;
    for (int i = 0; i < kBlock; ++i) all += x[blockIdx.x * kBlock + i];
    cluster.map_shared_rank(of_blocks, 0)[rank] = all;  // expect-other: race_shared
  }
  __syncthreads();
  if (rank == 0 && t == 0) {
    int all = 0;
    for (int i = 0; i < kCluster; ++i) all += of_blocks[i];  // expect: race_shared; may: uninit_shared
    out[blockIdx.x / kCluster] = all;
  }
  cluster.sync();
}

int main() {
  const int n = kCluster * kBlock;
  std::vector<int> x(n, 1);
  int *d_x, *d_out, out = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<kCluster, kBlock>>>(d_out, d_x);
  cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", out);
  cudaFree(d_x), cudaFree(d_out);
}
