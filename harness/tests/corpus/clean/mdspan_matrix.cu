// The matrix as an mdspan: two indices instead of arithmetic, and the extents travel with the pointer.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/std/mdspan>
#include <vector>

using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using ConstMatrix = cuda::std::mdspan<const float, cuda::std::dextents<int, 2>>;

__global__ void multiply(Matrix c, ConstMatrix a, ConstMatrix b) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0.0f;
  for (int k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

int main() {
  const int m = 21, k = 13, n = 34;
  std::vector<float> a(m * k, 2.0f), b(k * n, 0.5f), c(m * n);
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  multiply<<<dim3(3, 2), dim3(16, 16)>>>(Matrix(d_c, m, n), ConstMatrix(d_a, m, k), ConstMatrix(d_b, k, n));
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (const float v : c) wrong += v != static_cast<float>(k);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
  return wrong != 0;
}
