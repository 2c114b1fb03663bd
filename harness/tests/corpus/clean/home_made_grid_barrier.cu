// A grid barrier from an atomic counter and a volatile read. The cooperative launch is what promises that all
// blocks run at once.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned int arrived = 0;

__device__ void grid_barrier(unsigned int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*reinterpret_cast<volatile unsigned int*>(&arrived) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void reverse_twice(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[n - 1 - i] = a[i] + 1;
  grid_barrier(gridDim.x);
  a[n - 1 - i] = b[i] * 2;
  grid_barrier(2 * gridDim.x);
  b[i] = a[n - 1 - i] - b[i];
}

int main() {
  const int blocks = 2, block = 64;
  int n = blocks * block;
  std::vector<int> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = i;
  int *d_a, *d_b;
  cudaMalloc(&d_a, n * sizeof(int));
  cudaMalloc(&d_b, n * sizeof(int));
  cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&d_a, &d_b, &n};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(reverse_twice), dim3(blocks), dim3(block), arguments);
  cudaMemcpy(b.data(), d_b, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += b[i] != n - i;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_b);
  return wrong != 0;
}
