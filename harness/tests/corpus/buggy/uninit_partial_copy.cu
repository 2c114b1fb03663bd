// Wrong: the copy to the device counts elements, not bytes, so three quarters of the vector never arrive.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(int* y, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];  // expect: uninit_global
}

int main() {
  const int n = 400;
  std::vector<int> x(n, 21), y(n);
  int *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_y, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n, cudaMemcpyHostToDevice);
  twice<<<4, 128>>>(d_y, d_x, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("y[0] = %d, y[%d] = %d\n", y[0], n - 1, y[n - 1]);
  cudaFree(d_x);
  cudaFree(d_y);
}
