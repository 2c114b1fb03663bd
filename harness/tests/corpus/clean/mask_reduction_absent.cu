// The mask of a reduction is that of its branch.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void sums(const int* x, int* total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
  unsigned m = __ballot_sync(0xffffffffu, i < n && v > limit);
  if (i < n && v > limit) {
    int s = __reduce_add_sync(m, v);
    if (threadIdx.x % 32 == __ffs(m) - 1) atomicAdd(total, s);
  }
}
int main() {
  const int n = 60;
  int h[n], *x, *total, got;
  for (int i = 0; i < n; ++i) h[i] = i % 7;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&total, 4);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, 4);
  sums<<<1, 64>>>(x, total, n, 3);
  cudaMemcpy(&got, total, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", got);
  cudaFree(x);
  cudaFree(total);
}
