// Wrong: std::copy runs on the host; only cudaMemcpy crosses over to the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void count_up(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 200;
  std::vector<int> numbers(n);
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  count_up<<<2, 128>>>(d_x, n);
  cudaDeviceSynchronize();
  std::copy(d_x, d_x + n, numbers.begin());  // expect: host_deref
  std::printf("the last number is %d\n", numbers.back());
  cudaFree(d_x);
}
