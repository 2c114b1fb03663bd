// Wrong: the first kernel stops one column short, and the second reads all of them.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void differences(float* d, const float* x, int rows, int columns) {
  const int c = threadIdx.x, r = blockIdx.x;
  if (r < rows && c < columns - 1) d[r * columns + c] = x[r * columns + c + 1] - x[r * columns + c];
}

__global__ void row_maximum(float* best, const float* d, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = d[r * columns];
  for (int c = 1; c < columns; ++c) m = fmaxf(m, d[r * columns + c]);  // expect: uninit_global
  best[r] = m;
}

int main() {
  const int rows = 20, columns = 50;
  std::vector<float> x(rows * columns, 1.0f), best(rows);
  float *d_x, *d_differences, *d_best;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMalloc(&d_differences, x.size() * sizeof(float));
  cudaMalloc(&d_best, rows * sizeof(float));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  differences<<<rows, 64>>>(d_differences, d_x, rows, columns);
  row_maximum<<<1, 32>>>(d_best, d_differences, rows, columns);
  cudaMemcpy(best.data(), d_best, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("best[0] = %g\n", best[0]);
  cudaFree(d_x);
  cudaFree(d_differences);
  cudaFree(d_best);
}
