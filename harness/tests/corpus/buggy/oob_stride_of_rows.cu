// Wrong: the index of a tall matrix counts rows as if each were as long as the matrix is tall, so it goes far
// beyond the matrix, to where a neighbour might be. The line reads `a` only, and is told so.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(float* out, const float* a, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int c = 0; c < columns; ++c) {
    const float value = a[row * rows + c];  // expect: oob_global
    out[row * columns + c] = 2.0f * value;
  }
}

int main() {
  const int rows = 600, columns = 3;
  std::vector<float> a(rows * columns, 1.0f);
  const std::size_t bytes = a.size() * sizeof(float);
  float *d_a, *d_out;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  twice<<<10, 64>>>(d_out, d_a, rows, columns);
  cudaMemcpy(a.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  std::printf("the last element is %g\n", a.back());
  cudaFree(d_a);
  cudaFree(d_out);
}
