// Wrong: the list of arguments holds a pointer itself, not its address.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

int main() {
  float h[64], *x, by = 2;
  int n = 64;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  void* arguments[] = {x, &by, &n};
  cudaLaunchKernel((void*)scale, dim3(1), dim3(64), arguments, 0, 0);  // expect: host_deref
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaFree(x);
}
