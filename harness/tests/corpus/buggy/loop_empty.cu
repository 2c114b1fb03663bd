// Wrong: thread 0 stops itself for ever, in a loop of one instruction; the others wait at the barrier.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void halt(int* out) {
  if (threadIdx.x == 0 && out[0] != 1)
    while (true) {  // expect: infinite_loop
    }
  __syncthreads();
  out[threadIdx.x] = 1;
}

int main() {
  int *d_out, out = 0;
  cudaMalloc(&d_out, 64 * sizeof(int));
  cudaMemset(d_out, 0, 64 * sizeof(int));
  halt<<<1, 64>>>(d_out);
  cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("%d\n", out);
  cudaFree(d_out);
}
