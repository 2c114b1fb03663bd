// A table of device functions, and kernels that call through a pointer from it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

using Unary = float (*)(float);

__device__ float twice(float x) { return 2.0f * x; }
__device__ float square(float x) { return x * x; }
__device__ float relu(float x) { return x > 0.0f ? x : 0.0f; }

__device__ Unary operations[] = {twice, square, relu};

__global__ void apply(float* x, int operation, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Unary f = operations[operation];
  if (i < n) x[i] = f(x[i]);
}

int main() {
  const int n = 90;
  int wrong = 0;
  for (int operation = 0; operation < 3; ++operation) {
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i - 45);
    float* d_x;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    apply<<<3, 32>>>(d_x, operation, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
      const float v = static_cast<float>(i - 45);
      wrong += x[i] != (operation == 0 ? 2.0f * v : operation == 1 ? v * v : v > 0.0f ? v : 0.0f);
    }
    cudaFree(d_x);
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
