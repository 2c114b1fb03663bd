// Blocks take numbers as they begin, and wait for earlier ones.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int begun = 0;

__global__ void suffix(const int* x, volatile int* sum, volatile int* ready) {
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(&begun, 1);
  __syncthreads();
  const int b = static_cast<int>(gridDim.x) - 1 - number;
  int mine = 0;
  if (threadIdx.x == 0) {
    mine = x[b];
    if (b + 1 < static_cast<int>(gridDim.x)) {
      while (ready[b + 1] == 0) {
      }
      __threadfence();
      mine += sum[b + 1];
    }
    sum[b] = mine;
    __threadfence();
    ready[b] = 1;
  }
  __syncthreads();
}

int main() {
  const int n = 300;
  int h[n], *x, *sum, *ready;
  for (int i = 0; i < n; ++i) h[i] = i % 3;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&sum, sizeof h);
  cudaMalloc(&ready, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(ready, 0, sizeof h);
  suffix<<<n, 1024>>>(x, sum, ready);
  cudaMemcpy(h, sum, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d, should be %d\n", h[0], n);
  cudaFree(x);
  cudaFree(sum);
  cudaFree(ready);
}
