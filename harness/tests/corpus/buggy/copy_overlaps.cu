// Wrong: an array is moved by one element by a copy onto itself.
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  const int n = 1000;
  int h[n], *d;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(d, d + 1, (n - 1) * sizeof(int), cudaMemcpyDeviceToDevice);  // expect: bad_api_call
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(d);
}
