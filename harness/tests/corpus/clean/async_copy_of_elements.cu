// memcpy_async() counts bytes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 128, 128 * sizeof(int));
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}
int main() {
  const int n = 256;
  int h[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<<<2, 128>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[255]);
  cudaFree(in);
  cudaFree(out);
}
