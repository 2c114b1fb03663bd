// Wrong: the result is printed straight from device memory, which the host cannot read.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  const int n = 100;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<1, 128>>>(x, 2.5f, n);
  cudaDeviceSynchronize();
  std::printf("x[0] = %g\n", x[0]);  // expect: host_deref
  cudaFree(x);
}
