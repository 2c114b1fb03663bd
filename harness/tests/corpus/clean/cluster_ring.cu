// Tiles go round a ring of blocks: each reads its neighbour's, a cluster barrier on both sides of every step,
// split in two where there is something to do meanwhile; atomics and several lanes reach into one word of the
// first block.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlock = 64, kCluster = 4;

__global__ void __cluster_dims__(kCluster, 1, 1) ring(int* y, const int* x, int* total) {
  __shared__ int tile[kBlock], next[kBlock];
  __shared__ int sum;
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  if (t == 0) sum = 0;
  tile[t] = x[i];
  for (int step = 0; step < kCluster; ++step) {
    cluster.sync();
    next[t] = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % kCluster)[t];
    cluster.barrier_arrive();
    const int kept = next[t];
    cluster.barrier_wait();
    tile[t] = kept + 1;
  }
  atomicAdd(cluster.map_shared_rank(&sum, 0), tile[t]);
  cluster.sync();
  y[i] = tile[t] + *cluster.map_shared_rank(&sum, 0);
  if (t == 0 && cluster.block_rank() == 0) total[blockIdx.x / kCluster] = sum;
  cluster.sync();
}

int main() {
  const int clusters = 3, n = clusters * kCluster * kBlock;
  std::vector<int> x(n, 1), total(clusters);
  int *d_x, *d_y, *d_total;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_y, n * sizeof(int));
  cudaMalloc(&d_total, clusters * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  ring<<<clusters * kCluster, kBlock>>>(d_y, d_x, d_total);
  cudaMemcpy(total.data(), d_total, clusters * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const int sum : total) wrong += sum != kCluster * kBlock * (1 + kCluster);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x), cudaFree(d_y), cudaFree(d_total);
  return wrong != 0;
}
