// Wrong: one thread waits for the cluster, the others wait for it at the barrier of their block.
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
  int other = 0;
  if (threadIdx.x == 0) {
    c.sync();  // expect: divergent_barrier
    other = *c.map_shared_rank(&sum, c.block_rank() ^ 1);
  }
  __syncthreads();  // expect-other: divergent_barrier
  out[blockIdx.x * 64 + threadIdx.x] = other;
  c.sync();
}

int main() {
  int h[128], *in, *out;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  swap_sums<<<2, 64>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], h[64]);
  cudaFree(in);
  cudaFree(out);
}
