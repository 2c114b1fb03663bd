// A bulk copy reads what threads have stored, behind a barrier and a fence of its proxy.
#include <cuda_runtime.h>
#include <cuda/ptx>

#include <cstdio>

namespace ptx = cuda::ptx;

__global__ void produce(float* out) {
  __shared__ alignas(128) float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

int main() {
  float h[64], *d;
  cudaMalloc(&d, sizeof h);
  produce<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f %f\n", h[0], h[63]);
  cudaFree(d);
}
