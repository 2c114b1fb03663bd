// Neighbouring threads own neighbouring bytes of one word, in global and in shared memory: no race.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 96;

__global__ void brighten(unsigned char* pixels, unsigned short* doubled, int n) {
  __shared__ unsigned char tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  pixels[i] = static_cast<unsigned char>(pixels[i] + 10);
  tile[threadIdx.x] = pixels[i];
  tile[threadIdx.x] = static_cast<unsigned char>(2 * tile[threadIdx.x]);
  doubled[i] = tile[threadIdx.x];
}

int main() {
  const int n = 333;
  std::vector<unsigned char> pixels(n);
  std::vector<unsigned short> doubled(n);
  for (int i = 0; i < n; ++i) pixels[i] = static_cast<unsigned char>(i % 100);
  unsigned char* d_pixels;
  unsigned short* d_doubled;
  cudaMalloc(&d_pixels, n);
  cudaMalloc(&d_doubled, n * sizeof(unsigned short));
  cudaMemcpy(d_pixels, pixels.data(), n, cudaMemcpyHostToDevice);
  brighten<<<4, kBlock>>>(d_pixels, d_doubled, n);
  cudaMemcpy(doubled.data(), d_doubled, n * sizeof(unsigned short), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += doubled[i] != 2 * (i % 100 + 10);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_pixels);
  cudaFree(d_doubled);
  return wrong != 0;
}
