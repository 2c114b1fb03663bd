// Rows padded by cudaMallocPitch: the padding is never touched, and the copies skip it too.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void brighten(unsigned char* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  unsigned char* pixel = image + y * pitch + x;
  *pixel = static_cast<unsigned char>(min(255, *pixel + 50));
}

int main() {
  const int width = 101, height = 37;
  std::vector<unsigned char> image(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = static_cast<unsigned char>(i % 256);
  unsigned char* d_image;
  size_t pitch;
  cudaMallocPitch(&d_image, &pitch, width, height);
  cudaMemcpy2D(d_image, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice);
  brighten<<<dim3(4, 5), dim3(32, 8)>>>(d_image, pitch, width, height);
  cudaMemcpy2D(image.data(), width, d_image, pitch, width, height, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < width * height; ++i) wrong += image[i] != (i % 256 + 50 > 255 ? 255 : i % 256 + 50);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_image);
  return wrong != 0;
}
