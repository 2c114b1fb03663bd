// Wrong: every thread initialises the barrier, and who comes later forgets who has arrived.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>

__global__ void turn(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  __shared__ int values[128];
  init(&all, blockDim.x);  // expect: race_shared; says: both initialise all
  __syncthreads();
  values[threadIdx.x] = x[threadIdx.x];
  all.arrive_and_wait();
  x[threadIdx.x] = values[127 - threadIdx.x];
}

int main() {
  int host[128] = {}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  turn<<<1, 128>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(x);
}
