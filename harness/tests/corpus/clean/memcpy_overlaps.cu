// A list is moved by one place, its end first.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
__global__ void insertFront(int* list, int n, int v) {
  for (int i = n; i > 0; --i) list[i] = list[i - 1];
  list[0] = v;
}
int main() {
  const int n = 64;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i;
  int* d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  insertFront<<<1, 1>>>(d, n - 1, 99);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[5]);
  cudaFree(d);
}
