// Wrong: a tile is filled again while a bulk copy may still read it.
#include <cuda_runtime.h>
#include <cuda/ptx>

#include <cstdio>

namespace ptx = cuda::ptx;

__global__ void produce(float* out, int tiles) {
  __shared__ alignas(128) float tile[64];
  for (int t = 0; t < tiles; t++) {
    tile[threadIdx.x] = t * 64.0f;  // expect: copy_not_waited; says: while a bulk copy may still read it
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(  // expect-other: copy_not_waited
          ptx::space_global, ptx::space_shared, out + t * 64, tile, sizeof tile);
      ptx::cp_async_bulk_commit_group();
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
