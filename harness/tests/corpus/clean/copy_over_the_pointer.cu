// A table of pointers on the stack is copied as what it is.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }

__global__ void collect(int* out, int* const* rows) { out[threadIdx.x] = rows[threadIdx.x][threadIdx.x]; }

int main() {
  // As many rows as make the table of their addresses as large as each of them.
  constexpr int kRows = 16, kColumns = 32;
  int *rows[kRows], **table, *out, h[kRows];
  for (int*& row : rows) {
    cudaMalloc(&row, kColumns * sizeof(int));
    fill<<<1, kColumns>>>(row);
  }
  cudaMalloc(&table, sizeof rows);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  collect<<<1, kRows>>>(out, table);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  for (int* row : rows) cudaFree(row);
  cudaFree(table);
  cudaFree(out);
}
