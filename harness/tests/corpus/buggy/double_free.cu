// Wrong: one buffer is freed by the loop over all and once more by itself.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = y[i] = 1.0f;
}

int main() {
  const int n = 100;
  float* buffers[2];
  for (float*& buffer : buffers) cudaMalloc(&buffer, n * sizeof(float));
  fill<<<1, 128>>>(buffers[0], buffers[1], n);
  cudaDeviceSynchronize();
  for (float* buffer : buffers) cudaFree(buffer);  // expect-other: double_free
  cudaFree(buffers[1]);                            // expect: double_free
}
