// A reduction that may be called again at once.
#include <cuda_runtime.h>
#include <cstdio>
__device__ float block_reduce(float v, bool max) {
  __shared__ float s[32];
  for (int d = 16; d > 0; d /= 2) {
    float o = __shfl_xor_sync(~0u, v, d);
    v = max ? fmaxf(v, o) : v + o;
  }
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? s[threadIdx.x % 32] : (max ? -1e30f : 0.0f);
  for (int d = 16; d > 0; d /= 2) {
    float o = __shfl_xor_sync(~0u, v, d);
    v = max ? fmaxf(v, o) : v + o;
  }
  __syncthreads();
  return v;
}
__global__ void softmax(const float* x, float* y, int n) {
  const float* r = x + blockIdx.x * n;
  float m = -1e30f, s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) m = fmaxf(m, r[i]);
  m = block_reduce(m, true);
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += expf(r[i] - m);
  s = block_reduce(s, false);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = expf(r[i] - m) / s;
}
int main() {
  const int n = 300;
  float h[2 * n], *x, *y;
  for (float& v : h) v = 1;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  softmax<<<2, 128>>>(x, y, n);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0] * n);
  cudaFree(x);
  cudaFree(y);
}
