// Wrong: a member of an object in device memory is given to cudaMalloc to fill in.
#include <cuda_runtime.h>
#include <cstdio>
struct Image {
  float* pixels;
  int n;
};
__global__ void fill(Image* im, int n) {
  if (threadIdx.x == 0) im->n = n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) im->pixels[i] = i;  // may: uninit_global
}
int main() {
  const int n = 256;
  Image* d;
  cudaMalloc(&d, sizeof(Image));
  cudaMalloc(&d->pixels, n * sizeof(float));  // expect: host_deref; expect-warning: leak
  fill<<<1, 128>>>(d, n);
  cudaDeviceSynchronize();
  cudaFree(d);
}
