// Wrong: copies from and to the place of a pointer, in place of what it points to.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int *d, *h = static_cast<int*>(malloc(64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) h[i] = 0;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemcpy(d, &h, 64 * sizeof(int), cudaMemcpyHostToDevice);  // expect: oob_global
  fill<<<1, 64>>>(d);
  cudaMemcpy(&h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // expect: oob_global
  printf("%d\n", h[5]);
  free(h);
  cudaFree(d);
}
