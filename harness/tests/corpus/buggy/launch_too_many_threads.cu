// Wrong: a block has at most 1024 threads, so the first launch fails, and nobody asks; the second kernel
// reads what the first should have written.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void square(float* squares, const float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = x[i] * x[i];
}

__global__ void add(float* sums, const float* squares, const float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = squares[i] + x[i];  // expect: uninit_global
}

int main() {
  const int n = 2048;
  std::vector<float> x(n, 3.0f), sums(n);
  float *d_x, *d_squares, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_squares, n * sizeof(float));
  cudaMalloc(&d_sums, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<1, n>>>(d_squares, d_x);  // expect: bad_launch
  add<<<n / 256, 256>>>(d_sums, d_squares, d_x);
  cudaMemcpy(sums.data(), d_sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %g, should be 12\n", sums[0]);
  cudaFree(d_x), cudaFree(d_squares), cudaFree(d_sums);
}
