// Wrong: the host walks through a structure that lives on the device to find the pointer in it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Matrix {
  int rows, columns;
  float* elements;
};

__global__ void clear(Matrix* m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m->rows * m->columns) m->elements[i] = 0.0f;
}

int main() {
  Matrix m{8, 16, nullptr}, *d_m;
  cudaMalloc(&m.elements, 128 * sizeof(float));
  cudaMalloc(&d_m, sizeof(Matrix));
  cudaMemcpy(d_m, &m, sizeof(Matrix), cudaMemcpyHostToDevice);
  clear<<<1, 128>>>(d_m);
  std::vector<float> elements(128, 1.0f);
  const float* d_elements = d_m->elements;  // expect: host_deref
  cudaMemcpy(elements.data(), d_elements, 128 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("elements[0] = %g\n", elements[0]);
  cudaFree(m.elements);
  cudaFree(d_m);
}
