// Wrong: a kernel launches two others, the first into cudaStreamFireAndForget, which orders nothing.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void make(int* a) { a[threadIdx.x] = threadIdx.x; }  // expect-other: race_global
__global__ void use(const int* a, int* b) {
  b[threadIdx.x] = a[63 - threadIdx.x];  // expect: race_global; says: into cudaStreamFireAndForget
}
__global__ void parent(int* a, int* b) {
  make<<<1, 64, 0, cudaStreamFireAndForget>>>(a);
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
