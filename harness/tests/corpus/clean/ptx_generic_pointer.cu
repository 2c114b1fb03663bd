// st.shared is given an address in shared memory.
#include <cuda_runtime.h>

#include <cstdio>

__device__ void store_shared(float* p, float v) {
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory");
}

__global__ void reverse(float* x) {
  __shared__ float s[64];
  store_shared(&s[threadIdx.x], x[threadIdx.x]);
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  float h[64], *d;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(d);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("failed\n");
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[0]);
  cudaFree(d);
}
