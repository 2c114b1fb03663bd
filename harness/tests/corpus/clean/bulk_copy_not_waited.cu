// Blocks wait for bulk copies out of their shared memory.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void scale(const float* in, float* out) {
  __shared__ alignas(128) float tile[128];
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 128 + t] * 2;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * 128),
                 "r"(s), "r"(512)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

int main() {
  float h[512], *in, *out;
  for (int i = 0; i < 512; i++) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  scale<<<4, 128>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[500]);
  cudaFree(in);
  cudaFree(out);
}
