// Wrong: the output is added to before anything was stored in it; cudaMalloc does not clear.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_rows(float* total, const float* matrix, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int r = 0; r < rows; ++r) total[c] += matrix[r * columns + c];  // expect: uninit_global
}

int main() {
  const int rows = 30, columns = 70;
  std::vector<float> matrix(rows * columns, 1.0f), total(columns);
  float *d_matrix, *d_total;
  cudaMalloc(&d_matrix, matrix.size() * sizeof(float));
  cudaMalloc(&d_total, columns * sizeof(float));
  cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice);
  add_rows<<<2, 64>>>(d_total, d_matrix, rows, columns);
  cudaMemcpy(total.data(), d_total, columns * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("total[0] = %g\n", total[0]);
  cudaFree(d_matrix);
  cudaFree(d_total);
}
