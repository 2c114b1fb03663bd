// Wrong: the place in the output is read and then raised, by many threads at once, so survivors overwrite
// each other.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void keep_positive(int* out, int* size, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] <= 0) return;
  const int place = *size;  // expect: race_global
  *size = place + 1;        // expect: race_global
  out[place] = x[i];        // may: race_global
}

int main() {
  const int n = 256;
  std::vector<int> x(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = i % 2 == 0 ? i + 1 : -i;
  int *d_x, *d_out, *d_size, size = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_size, 0, sizeof(int));
  keep_positive<<<2, 128>>>(d_out, d_size, d_x, n);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d survivors, should be %d\n", size, n / 2);
  cudaFree(d_x), cudaFree(d_out), cudaFree(d_size);
}
