// Wrong: the row pitch is given in bytes and used as if it were in elements, which lands megabytes away.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void clear(float* matrix, size_t pitch, int rows, int columns) {
  const int column = threadIdx.x, row = blockIdx.x;
  if (row < rows && column < columns) matrix[row * pitch + column] = 0.0f;  // expect: oob_global
}

int main() {
  const int rows = 700, columns = 200;
  float* d_matrix;
  size_t pitch;
  cudaMallocPitch(&d_matrix, &pitch, columns * sizeof(float), rows);
  clear<<<rows, 256>>>(d_matrix, pitch, rows, columns);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("pitch %zu: %s\n", pitch, cudaGetErrorString(error));
  cudaFree(d_matrix);
}
