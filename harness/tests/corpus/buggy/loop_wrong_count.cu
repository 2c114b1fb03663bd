// Wrong: the home-made grid barrier waits for every thread, and only one thread of each block counts.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned int arrived;

__global__ void two_phases(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x * blockDim.x) __nanosleep(100);  // expect: infinite_loop
  }
  __syncthreads();
  x[n + i] = x[(i + blockDim.x) % n];
}

int main() {
  const int blocks = 2, block = 32, n = blocks * block;
  int *d_x, last = 0;
  cudaMalloc(&d_x, 2 * n * sizeof(int));
  two_phases<<<blocks, block>>>(d_x);
  cudaMemcpy(&last, d_x + 2 * n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("the last number is %d\n", last);
  cudaFree(d_x);
}
