// Wrong: the scratch buffer was declared, and never allocated.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void square(float* scratch, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scratch[i] = x[i] * x[i];  // expect: oob_global
}

int main() {
  const int n = 128;
  std::vector<float> x(n, 3.0f);
  float *d_x = nullptr, *d_scratch = nullptr;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<1, n>>>(d_scratch, d_x, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("square: %s\n", cudaGetErrorString(error));
  cudaFree(d_x);
}
