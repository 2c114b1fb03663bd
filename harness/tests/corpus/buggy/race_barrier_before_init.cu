// Wrong: threads arrive at a barrier that thread 0 initialises, with nothing that lets them wait for that.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(int* x) {
  __shared__ int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);  // expect-other: race_shared
  tile[threadIdx.x] = x[threadIdx.x];
  ready.arrive_and_wait();  // expect: race_shared
  x[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int x[64], *d_x;
  for (int i = 0; i < 64; ++i) x[i] = i;
  cudaMalloc(&d_x, sizeof x);
  cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
  reverse<<<1, 64>>>(d_x);
  cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
  std::printf("first %d\n", x[0]);
  cudaFree(d_x);
}
