// Wrong: the two launches are swapped: the rows are scaled by norms that the next launch computes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void row_norms(float* norms, const float* x, int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < columns; ++c) sum += x[r * columns + c] * x[r * columns + c];
  norms[r] = sqrtf(sum);
}

__global__ void normalise(float* x, const float* norms, int columns) {
  const int r = blockIdx.x, c = threadIdx.x;
  if (c < columns) x[r * columns + c] /= norms[r];  // expect: uninit_global
}

int main() {
  const int rows = 10, columns = 25;
  std::vector<float> x(rows * columns, 2.0f);
  float *d_x, *d_norms;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMalloc(&d_norms, rows * sizeof(float));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  normalise<<<rows, 32>>>(d_x, d_norms, columns);
  row_norms<<<1, 32>>>(d_norms, d_x, rows, columns);
  cudaMemcpy(x.data(), d_x, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %g, should be 0.2\n", x[0]);
  cudaFree(d_x);
  cudaFree(d_norms);
}
