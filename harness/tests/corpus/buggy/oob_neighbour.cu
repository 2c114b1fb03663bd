// Wrong: the second half of the threads writes behind `low`, where on a GPU the next allocation begins: no
// fault there, only wrong numbers in `high`.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void split(int* low, const int* values, int n) {
  const int i = threadIdx.x;
  const int value = values[i];
  low[i] = value < n ? value : n;  // expect: oob_global
}

int main() {
  const int n = 256;
  std::vector<int> values(n, 5), high(n / 2, 1);
  int *d_values, *d_low, *d_high;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_low, n / 2 * sizeof(int));
  cudaMalloc(&d_high, n / 2 * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_high, high.data(), n / 2 * sizeof(int), cudaMemcpyHostToDevice);
  split<<<1, n>>>(d_low, d_values, n);
  cudaMemcpy(high.data(), d_high, n / 2 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("high[0] was 1 and is %d\n", high[0]);
  cudaFree(d_values);
  cudaFree(d_low);
  cudaFree(d_high);
}
