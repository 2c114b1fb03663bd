// Wrong: each half of the warp waits for itself, and then reads what the other half wrote.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void swap_halves(int* x) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = x[lane];  // expect-other: race_shared
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  x[lane] = tile[lane ^ 16];  // expect: race_shared; may: uninit_shared
}

int main() {
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, 32 * sizeof(int));
  cudaMemcpy(d_x, x.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  swap_halves<<<1, 32>>>(d_x);
  cudaMemcpy(x.data(), d_x, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be 16\n", x[0]);
  cudaFree(d_x);
}
