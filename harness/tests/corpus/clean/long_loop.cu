// One thread counts to twenty million by hand, and another as often asks an atomic for the same value: long,
// and both come to an end.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(unsigned int* result, unsigned int* asked, unsigned int n) {
  if (threadIdx.x == 0) {
    unsigned int x = 1;
    for (unsigned int i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;
    result[0] = x;
  } else if (threadIdx.x == 32) {
    unsigned int sum = 0;
    for (unsigned int i = 0; i < n / 8; ++i) sum += atomicAdd(asked, 0u);
    result[1] = sum;
  }
}

int main() {
  const unsigned int n = 20'000'000;
  unsigned int *d_result, *d_asked, result[2] = {}, x = 1;
  const unsigned int one = 1;
  cudaMalloc(&d_result, sizeof result);
  cudaMalloc(&d_asked, sizeof(unsigned int));
  cudaMemcpy(d_asked, &one, sizeof one, cudaMemcpyHostToDevice);
  count<<<1, 64>>>(d_result, d_asked, n);
  cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost);
  for (unsigned int i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;
  std::printf("%u %u\n", result[0], result[1]);
  cudaFree(d_result), cudaFree(d_asked);
  return result[0] != x || result[1] != n / 8;
}
