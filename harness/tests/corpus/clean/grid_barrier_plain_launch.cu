// A grid barrier made by hand, in an ordinary launch of few blocks: each waits for all others, three times.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned int arrived;

__device__ void grid_barrier(unsigned int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < goal) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void rotate(int* a, int* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  b[(i + blockDim.x) % n] = a[i];
  grid_barrier(gridDim.x);
  a[(i + blockDim.x) % n] = b[i];
  grid_barrier(2 * gridDim.x);
  b[(i + blockDim.x) % n] = a[i];
}

int main() {
  const int blocks = 40, block = 32, n = blocks * block;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  int *d_a, *d_b;
  cudaMalloc(&d_a, n * sizeof(int));
  cudaMalloc(&d_b, n * sizeof(int));
  cudaMemcpy(d_a, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  rotate<<<blocks, block>>>(d_a, d_b);
  cudaMemcpy(x.data(), d_b, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[(i + 3 * block) % n] != i;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_a);
  cudaFree(d_b);
  return wrong != 0;
}
