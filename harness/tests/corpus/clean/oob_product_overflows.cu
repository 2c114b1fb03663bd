// Row times width in 64 bits.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void gather(const unsigned char* table, const int* rows, int width, int* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const size_t at = static_cast<size_t>(rows[i]) * width;
  out[i] = table[at];
}

int main() {
  const int width = 65536, count = 33000, n = 2, h[n] = {0, 32769};
  unsigned char* table;
  int *rows, *out, got[n];
  cudaMalloc(&table, static_cast<size_t>(width) * count);
  cudaMalloc(&rows, sizeof h);
  cudaMalloc(&out, sizeof h);
  for (const int row : h) cudaMemset(table + static_cast<size_t>(row) * width, 3, width);
  cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice);
  gather<<<1, 32>>>(table, rows, width, out, n);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got[1]);
  cudaFree(table);
  cudaFree(rows);
  cudaFree(out);
}
