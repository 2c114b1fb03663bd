// A pitch in bytes.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void scale(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  ((float*)((char*)image + y * pitch))[x] *= 2.0f;
}

int main() {
  const int width = 100, height = 40;
  std::vector<float> h(width * height, 1.0f);
  float* d;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(d, pitch, h.data(), width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  scale<<<dim3(7, 5), dim3(16, 8)>>>(d, pitch, width, height);
  cudaMemcpy2D(h.data(), width * sizeof(float), d, pitch, width * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[width * height - 1]);
  cudaFree(d);
}
