// Wrong: 1000 elements, 4 blocks of 256 threads, and no guard: the last 24 threads go past the end.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* y, const float* x, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = factor * x[i];  // expect: oob_global
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> x(n, 1.5f), y(n);
  float *d_x, *d_y;
  cudaMalloc(&d_x, bytes);
  cudaMalloc(&d_y, bytes);
  cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_y, d_x, 2.0f);
  cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g, y[%d] = %g\n", y[0], n - 1, y[n - 1]);
  cudaFree(d_x);
  cudaFree(d_y);
}
