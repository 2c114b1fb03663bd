// Wrong: rows of 15 ints, read as pairs: every second row begins in the middle of a pair.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void row_sums(int* sums, const int* matrix, int columns) {
  const int r = threadIdx.x;
  const int2* pairs = reinterpret_cast<const int2*>(matrix + r * columns);
  int sum = matrix[r * columns + columns - 1];
  for (int p = 0; p < columns / 2; ++p) {
    const int2 pair = pairs[p];  // expect: misaligned
    sum += pair.x + pair.y;
  }
  sums[r] = sum;
}

int main() {
  const int rows = 16, columns = 15;
  std::vector<int> matrix(rows * columns, 1), sums(rows);
  int *d_matrix, *d_sums;
  cudaMalloc(&d_matrix, matrix.size() * sizeof(int));
  cudaMalloc(&d_sums, rows * sizeof(int));
  cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(int), cudaMemcpyHostToDevice);
  row_sums<<<1, rows>>>(d_sums, d_matrix, columns);
  cudaMemcpy(sums.data(), d_sums, rows * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sums[1] = %d\n", sums[1]);
  cudaFree(d_matrix);
  cudaFree(d_sums);
}
