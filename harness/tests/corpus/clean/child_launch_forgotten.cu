// A kernel launches two others, one after the other.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void make(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void use(const int* a, int* b) { b[threadIdx.x] = a[63 - threadIdx.x]; }
__global__ void parent(int* a, int* b) {
  make<<<1, 64>>>(a);
  use<<<1, 64>>>(a, b);
}
int main() {
  int *a, *b, h[64];
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  parent<<<1, 1>>>(a, b);
  cudaDeviceSynchronize();
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(a);
  cudaFree(b);
}
