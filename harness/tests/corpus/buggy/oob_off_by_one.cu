// Wrong: `i <= n` lets one thread too many through.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void increment(int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) counts[i] += 1;  // expect: oob_global
}

int main() {
  const int n = 500;
  std::vector<int> counts(n, 41);
  int* d_counts;
  cudaMalloc(&d_counts, n * sizeof(int));
  cudaMemcpy(d_counts, counts.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  increment<<<4, 128>>>(d_counts, n);
  cudaMemcpy(counts.data(), d_counts, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("counts[%d] = %d\n", n - 1, counts[n - 1]);
  cudaFree(d_counts);
}
