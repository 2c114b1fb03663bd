// Wrong: memcpy for cudaMemcpy.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;  // may: uninit_global
}

int main() {
  const int n = 256;
  std::vector<int> x(n, 1);
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  std::memcpy(d_x, x.data(), n * sizeof(int));  // expect: host_deref
  add_one<<<2, 128>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d\n", x[0]);
  cudaFree(d_x);
}
