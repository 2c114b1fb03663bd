// A tile is filled again when the bulk copy of the one before has read it.
#include <cuda_runtime.h>
#include <cuda/ptx>

#include <cstdio>

namespace ptx = cuda::ptx;

__global__ void produce(float* out, int tiles) {
  __shared__ alignas(128) float tile[64];
  for (int t = 0; t < tiles; t++) {
    tile[threadIdx.x] = t * 64.0f;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + t * 64, tile, sizeof tile);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

int main() {
  float h[256], *d;
  cudaMalloc(&d, sizeof h);
  produce<<<1, 64>>>(d, 4);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f %f\n", h[0], h[255]);
  cudaFree(d);
}
