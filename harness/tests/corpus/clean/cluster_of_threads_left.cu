// Threads that have ended are not waited for by the barrier of a cluster.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_sums(const int* in, int* out) {
  __shared__ int sum;
  cg::cluster_group c = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    c.sync();
    out[blockIdx.x] = *c.map_shared_rank(&sum, c.block_rank() ^ 1);
    c.sync();
  }
}

int main() {
  int h[128], *in, *out, r[2] = {};
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof r);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  swap_sums<<<2, 64>>>(in, out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", r[0], r[1]);
  cudaFree(in);
  cudaFree(out);
}
