// Wrong: every one of 1048576 threads stores 4 MiB past the end. One finding, with a count.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void store(float* y, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i + offset] = 1.0f;  // expect: oob_global
}

int main() {
  const int n = 1 << 20;
  float* d_y;
  cudaMalloc(&d_y, n * sizeof(float));
  store<<<n / 256, 256>>>(d_y, n);
  std::printf("store: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d_y);
}
