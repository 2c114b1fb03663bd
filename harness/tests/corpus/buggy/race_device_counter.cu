// Wrong: a counter in a __device__ variable, incremented by everybody with ++.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ int found;

__global__ void count(const int* x, int wanted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == wanted) found++;  // expect: race_global
}

int main() {
  const int n = 900;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i % 9;
  int *d_x, result = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(found, &result, sizeof(int));
  count<<<9, 100>>>(d_x, 4, n);
  cudaMemcpyFromSymbol(&result, found, sizeof(int));
  std::printf("found %d, should be 100\n", result);
  cudaFree(d_x);
}
