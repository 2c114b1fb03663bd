// What an instruction of inline PTX reads and writes is "+r".
#include <cuda_runtime.h>
#include <cstdio>
__global__ void dot(const int* a, const int* b, int* out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    asm("mad.lo.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a[i]), "r"(b[i]));
  }
  out[threadIdx.x] = sum;
}
int main() {
  const int n = 256;
  int h[n];
  for (int i = 0; i < n; ++i) h[i] = i % 5;
  int *a, *b;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, 32 * sizeof(int));
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  dot<<<1, 32>>>(a, a, b, n);
  cudaMemcpy(h, b, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[3]);
  cudaFree(a);
  cudaFree(b);
}
