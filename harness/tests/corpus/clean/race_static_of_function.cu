// Threads have a variable of a function each.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned next_random() {
  unsigned state = 12345u + blockIdx.x * blockDim.x + threadIdx.x;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

__global__ void draw(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = next_random() / 16777216.0f;
}

int main() {
  const int n = 512;
  float h[n], *d;
  cudaMalloc(&d, sizeof h);
  draw<<<4, 128>>>(d, n);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f %f\n", h[0], h[1]);
  cudaFree(d);
}
