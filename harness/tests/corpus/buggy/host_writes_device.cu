// Wrong: the host fills memory that cudaMalloc gave out, as if it came from malloc.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;  // may: uninit_global
}

int main() {
  const int n = 64;
  int *x, result = 0;
  cudaMalloc(&x, n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = i;  // expect: host_deref
  twice<<<1, n>>>(x, n);
  cudaMemcpy(&result, x + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("the last number is %d\n", result);
  cudaFree(x);
}
