// Conditions of the preprocessor whose branches open one block each, and close one each.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#ifdef BY_STRIDES
__global__ void scale(float* x, int n, float by) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
#elif defined(BY_FOURS)
__global__ void scale(float* x, int n, float by) {
  for (int i = 4 * threadIdx.x; i < n; i += 4) {
#else
__global__ void scale(float* x, int n, float by) {
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n) {
#endif
    x[i] *= by;
#if defined(CLAMP)
    if (x[i] > 1.0f) {
      x[i] = 1.0f;
    }
  }
#else
  }
#endif
}

int main() {
  std::vector<float> host(100, 1.0f);
  float* x;
  cudaMalloc(&x, host.size() * sizeof(float));
  cudaMemcpy(x, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, 128>>>(x, 100, 2.0f);
  cudaMemcpy(host.data(), x, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[99]);
  cudaFree(x);
}
