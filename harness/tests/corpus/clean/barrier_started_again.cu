// A barrier is initialised by one thread, and by another one anew for fewer threads, behind a barrier of all.
#include <cuda_runtime.h>
#include <cstdio>
#include <cuda/barrier>

__global__ void turn(int* x) {
  __shared__ cuda::barrier<cuda::thread_scope_block> some;
  __shared__ int values[128];
  if (threadIdx.x == 0) init(&some, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = x[threadIdx.x];
  some.arrive_and_wait();
  x[threadIdx.x] = values[127 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 64) init(&some, 64);
  __syncthreads();
  if (threadIdx.x < 64) {
    values[threadIdx.x] = x[threadIdx.x] + 1;
    some.arrive_and_wait();
    x[threadIdx.x] = values[63 - threadIdx.x];
  }
}

int main() {
  int host[128], *x;
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  turn<<<1, 128>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(x);
  return host[0] == 65 ? 0 : 2;
}
