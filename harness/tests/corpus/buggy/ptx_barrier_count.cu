// Wrong: half of the block meets at barrier 1, which is told to wait for more threads than come.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void turn(int* x) {
  __shared__ int s[128];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 96;" ::: "memory");  // expect: barrier_exit; says: needs 96 arrivals
    x[threadIdx.x] = s[63 - threadIdx.x];
  }
}

int main() {
  int host[128] = {}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  turn<<<1, 128>>>(x);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
