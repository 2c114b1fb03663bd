// map_shared_rank is given a variable of shared memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) exchange(float* data, float* out) {
  __shared__ float mine[64];
  auto cluster = cg::this_cluster();
  int rank = cluster.block_rank();
  mine[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  cluster.sync();
  float* theirs = cluster.map_shared_rank(mine, rank ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = theirs[threadIdx.x];
  cluster.sync();
}
int main() {
  float h[128];
  for (int i = 0; i < 128; ++i) h[i] = i;
  float *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  exchange<<<2, 64>>>(a, b);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(a);
  cudaFree(b);
}
