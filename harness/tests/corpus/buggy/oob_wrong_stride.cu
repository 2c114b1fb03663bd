// Wrong: a row is as long as the matrix has columns; here it is taken for as long as it has rows. On a square
// matrix nobody would notice.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void row_sums(float* sums, const float* matrix, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += matrix[row * rows + c];  // expect: oob_global
  sums[row] = sum;
}

int main() {
  const int rows = 96, columns = 40;
  std::vector<float> matrix(rows * columns, 1.0f), sums(rows);
  float *d_matrix, *d_sums;
  cudaMalloc(&d_matrix, matrix.size() * sizeof(float));
  cudaMalloc(&d_sums, sums.size() * sizeof(float));
  cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);
  row_sums<<<3, 32>>>(d_sums, d_matrix, rows, columns);
  cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("the last row adds up to %g\n", sums.back());
  cudaFree(d_matrix);
  cudaFree(d_sums);
}
