// Wrong: all threads of all blocks add to one number without an atomic.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum(float* total, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *total += x[i];  // expect: race_global
}

int main() {
  const int n = 1000;
  std::vector<float> x(n, 1.0f);
  float *d_x, *d_total, total = 0.0f;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_total, 0, sizeof(float));
  sum<<<4, 256>>>(d_total, d_x, n);
  cudaMemcpy(&total, d_total, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g, should be %d\n", total, n);
  cudaFree(d_x);
  cudaFree(d_total);
}
