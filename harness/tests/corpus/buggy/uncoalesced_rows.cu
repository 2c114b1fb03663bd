// Slow: a thread a row. The 32 lanes of a warp read 32 different rows in each step: 32 sectors where 4 would
// do.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void row_sums(float* sums, const float* matrix, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += matrix[r * columns + c];  // expect-advice: uncoalesced
  sums[r] = sum;
}

int main() {
  const int rows = 512, columns = 512;
  std::vector<float> matrix(rows * columns, 1.0f), sums(rows);
  float *d_matrix, *d_sums;
  cudaMalloc(&d_matrix, matrix.size() * sizeof(float));
  cudaMalloc(&d_sums, rows * sizeof(float));
  cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);
  row_sums<<<4, 128>>>(d_sums, d_matrix, rows, columns);
  cudaMemcpy(sums.data(), d_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %g\n", sums[0]);
  cudaFree(d_matrix);
  cudaFree(d_sums);
  return sums[0] == columns ? 0 : 1;
}
