// A loop with the stride of the grid: right for any number of blocks, also more threads than elements.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void axpy(float* y, const float* __restrict__ x, float a, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}

int main() {
  int wrong = 0;
  for (const int blocks : {1, 3, 20}) {
    const size_t n = 1777;
    std::vector<float> x(n, 2.0f), y(n, 1.0f);
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    axpy<<<blocks, 128>>>(d_y, d_x, 3.0f, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float v : y) wrong += v != 7.0f;
    cudaFree(d_x);
    cudaFree(d_y);
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
