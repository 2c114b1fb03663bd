// Wrong: a bulk copy lands where threads have stored, with no fence of its proxy.
#include <cuda_runtime.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdint>
#include <cstdio>

namespace ptx = cuda::ptx;

__global__ void load(const float* in, float* out, int n) {
  __shared__ alignas(128) float tile[128];
  __shared__ alignas(8) uint64_t bar;
  const int t = threadIdx.x;
  tile[t] = 0;  // expect-other: race_shared
  if (t == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (t == 0) {
    ptx::cp_async_bulk(  // expect: race_shared; says: no fence.proxy.async between
        ptx::space_cluster, ptx::space_global, tile, in, n * sizeof(float), &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   n * sizeof(float));
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[t] = tile[t];
}

int main() {
  float h[128], *in, *out;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  load<<<1, 128>>>(in, out, 100);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f %f\n", h[99], h[127]);
  cudaFree(in);
  cudaFree(out);
}
