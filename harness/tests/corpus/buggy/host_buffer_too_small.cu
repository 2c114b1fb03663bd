// Wrong: a copy to the host goes past the end of what new gave.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void fill(float* x) { x[blockIdx.x * 64 + threadIdx.x] = 1.0f; }

int main() {
  const int n = 640;
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  fill<<<10, 64>>>(d);
  std::vector<float> h(n / 10);
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: oob_global
  printf("%g\n", h[0]);
  cudaFree(d);
}
