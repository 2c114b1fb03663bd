// __ldg() reads global memory, shared memory is read plainly.
#include <cuda_runtime.h>
#include <cstdio>

__device__ float load(const float* p) { return __ldg(p); }

__global__ void shift(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = load(in + threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}

int main() {
  float h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  shift<<<1, 64>>>(in, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
