// Wrong: barriers by PTX, whose parity nobody turns.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
__device__ inline uint32_t at(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ inline void wait(uint64_t* bar, unsigned parity) {
  unsigned done = 0;
  while (!done)
    // clang-format off
    asm volatile(  // expect: barrier_phase; says: the same parity of bar
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(at(bar)), "r"(parity)
        : "memory");
  // clang-format on
}
__global__ void neighbours(const float* in, float* out, int rounds) {
  __shared__ uint64_t bar;
  __shared__ float tile[64];
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&bar)), "r"(64u) : "memory");
  __syncthreads();
  unsigned parity = 0;
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    tile[threadIdx.x] = in[r * 64 + threadIdx.x];  // may: race_shared
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(at(&bar)) : "memory");
    wait(&bar, parity);
    sum += tile[(threadIdx.x + 33) % 64];  // may: race_shared
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(at(&bar)) : "memory");
    wait(&bar, parity);
  }
  out[threadIdx.x] = sum;
}
int main() {
  const int rounds = 4;
  float h[64 * rounds], *in, *out;
  for (float& v : h) v = 1;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 64 * 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  neighbours<<<1, 64>>>(in, out, rounds);
  cudaMemcpy(h, out, 64 * 4, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaFree(in);
  cudaFree(out);
}
