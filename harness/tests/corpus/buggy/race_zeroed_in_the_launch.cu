// Wrong: block 0 zeroes the total with a plain store in the launch in which all blocks add to it. Another
// block may have added before.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count_blocks(float* total) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0.0f;  // expect-other: race_global
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, 1.0f);  // expect: race_global
}

int main() {
  float* d_total;
  cudaMalloc(&d_total, sizeof(float));
  cudaMemset(d_total, 0, sizeof(float));
  count_blocks<<<4, 64>>>(d_total);
  float total = 0.0f;
  cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
  std::printf("%g\n", total);
  cudaFree(d_total);
  return 0;
}
