// A buffer of the host as large as the copy.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void fill(float* x) { x[blockIdx.x * 64 + threadIdx.x] = 1.0f; }

int main() {
  const int n = 640;
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  fill<<<10, 64>>>(d);
  std::vector<float> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(d);
}
