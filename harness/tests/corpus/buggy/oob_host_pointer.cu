// Wrong: the kernel gets the vector's own memory, which is the host's, and not the copy on the device.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;  // expect: oob_global
}

int main() {
  const int n = 300;
  std::vector<int> values(n, 1);
  int* d_values;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  add_one<<<3, 128>>>(values.data(), n);
  cudaMemcpy(values.data(), d_values, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("values[0] = %d\n", values[0]);
  cudaFree(d_values);
}
