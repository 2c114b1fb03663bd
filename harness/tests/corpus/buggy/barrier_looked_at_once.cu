// Wrong: a thread looks at the barrier once, and goes on whatever it sees: perhaps the phase has not ended.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__device__ bool is_over(std::uint32_t bar) {
  std::uint32_t over;
  asm volatile(
      "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
      : "=r"(over)
      : "r"(bar)
      : "memory");
  return over != 0;
}

__global__ void hand_over(const int* in, int* out) {
  __shared__ alignas(8) std::uint64_t full;
  __shared__ int box[32];
  const auto bar = static_cast<std::uint32_t>(__cvta_generic_to_shared(&full));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(bar));
  __syncthreads();
  if (threadIdx.x < 32) {
    box[threadIdx.x] = in[threadIdx.x] * 3;  // expect: race_shared
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
  } else {
    is_over(bar);
    out[threadIdx.x - 32] = box[threadIdx.x - 32];  // expect: race_shared
  }
}

int main() {
  int *in, *out, h[32];
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  hand_over<<<1, 64>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[31]);
  cudaFree(in);
  cudaFree(out);
}
