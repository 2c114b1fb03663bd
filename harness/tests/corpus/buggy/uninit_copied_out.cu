// Wrong: the grid is rounded down, so that nobody writes the last elements, which the host copies and adds
// up.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}

int main() {
  const int n = 1000, block = 256;
  std::vector<float> x(n, 1.0f), y(n);
  float *d_x, *d_y, sum = 0.0f;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<n / block, block>>>(d_x, d_y, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: uninit_global
  for (int i = 0; i < n; ++i) sum += y[i];
  std::printf("sum %g\n", sum);
  cudaFree(d_x), cudaFree(d_y);
}
