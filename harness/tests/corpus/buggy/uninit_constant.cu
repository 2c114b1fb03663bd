// Wrong: constants without a value, of which the host sets none, or elements in place of bytes, or its own
// copy.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float weights[8];
__constant__ float scale;
__constant__ int limit;

__global__ void weigh(float* y) {
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += weights[k];  // expect: uninit_global
  y[threadIdx.x] = sum;
}

__global__ void scaled(float* y) {
  y[threadIdx.x] = scale * static_cast<float>(threadIdx.x);  // expect-warning: uninit_global
}

__global__ void below(float* y) {
  y[threadIdx.x] = static_cast<int>(threadIdx.x) < limit;  // expect-warning: uninit_global
}

int main() {
  const float host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float got[32], *y;
  cudaMalloc(&y, sizeof got);
  cudaMemcpyToSymbol(weights, host, 8);
  weigh<<<1, 32>>>(y);
  scaled<<<1, 32>>>(y);
  limit = 7;  // expect: host_deref
  below<<<1, 32>>>(y);
  cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", static_cast<double>(got[3]));
  cudaFree(y);
}
