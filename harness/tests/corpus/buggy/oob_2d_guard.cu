// Wrong: the columns are guarded, the rows are not, and 45 rows make three blocks of 16.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void invert(unsigned char* image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width) return;
  image[y * width + x] = 255 - image[y * width + x];  // expect: oob_global
}

int main() {
  const int width = 100, height = 45;
  std::vector<unsigned char> image(width * height, 200);
  unsigned char* d_image;
  cudaMalloc(&d_image, image.size());
  cudaMemcpy(d_image, image.data(), image.size(), cudaMemcpyHostToDevice);
  const dim3 block(16, 16);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  invert<<<grid, block>>>(d_image, width, height);
  cudaMemcpy(image.data(), d_image, image.size(), cudaMemcpyDeviceToHost);
  std::printf("the last pixel is %d\n", image.back());
  cudaFree(d_image);
}
