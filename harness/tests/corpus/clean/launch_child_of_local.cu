// A launched kernel reads memory of the device.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void child(int* out, const int* from) { out[threadIdx.x] = from[threadIdx.x]; }

__global__ void parent(int* out, int* scratch) {
  int* values = scratch;
  for (int i = 0; i < 8; ++i) values[i] = i * i;
  child<<<1, 8>>>(out, values);
}

int main() {
  int h[8], *d, *s;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&s, sizeof h);
  cudaMemset(d, 0, sizeof h);
  parent<<<1, 1>>>(d, s);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
  cudaFree(d);
  cudaFree(s);
}
