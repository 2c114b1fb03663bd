// Wrong: a barrier is told of as many bytes as there are elements, and waits for ever.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void scale(const float* in, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in, sizeof tile, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, 256);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));  // expect: barrier_count; says: bulk copies have brought 768 bytes more
  out[threadIdx.x] = tile[threadIdx.x] * 2;
}
int main() {
  float h[256], *in, *out;
  for (float& v : h) v = 3;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  scale<<<1, 256>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[9]);
  cudaFree(in);
  cudaFree(out);
}
