// Half of an array over the other half.
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  const int n = 1000;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(d, d + n / 2, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
