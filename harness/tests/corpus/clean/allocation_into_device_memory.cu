// The object is filled in on the host, and copied.
#include <cuda_runtime.h>
#include <cstdio>
struct Image {
  float* pixels;
  int n;
};
__global__ void fill(Image* im, int n) {
  if (threadIdx.x == 0) im->n = n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) im->pixels[i] = i;
}
int main() {
  const int n = 256;
  Image* d;
  cudaMalloc(&d, sizeof(Image));
  Image h{};
  cudaMalloc(&h.pixels, n * sizeof(float));
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  fill<<<1, 128>>>(d, n);
  cudaDeviceSynchronize();
  float r[n];
  cudaMemcpy(r, h.pixels, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g\n", r[5]);
  cudaFree(h.pixels);
  cudaFree(d);
}
