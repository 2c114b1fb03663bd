// An asynchronous copy that promises nothing.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>
namespace cg = cooperative_groups;
__global__ void shift(const float* in, float* out) {
  __shared__ alignas(16) float tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in + 1, sizeof tile, bar);
  bar.arrive_and_wait();
  out[threadIdx.x] = tile[threadIdx.x];
}
int main() {
  float h[65], *in, *out;
  for (int i = 0; i < 65; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 64 * 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(in, out);
  cudaMemcpy(h, out, 64 * 4, cudaMemcpyDeviceToHost);
  printf("%g\n", h[63]);
  cudaFree(in);
  cudaFree(out);
}
