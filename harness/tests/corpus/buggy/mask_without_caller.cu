// Wrong: the upper lanes call __syncwarp() with the mask of the lower ones.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void exchange(int* x) {
  __shared__ int tile[32];
  const int lane = threadIdx.x;
  tile[lane] = x[lane];      // may: race_shared
  __syncwarp(0x0000ffffu);   // expect: bad_warp_mask
  x[lane] = tile[lane ^ 1];  // may: race_shared, uninit_shared
}

int main() {
  std::vector<int> x(32);
  for (int i = 0; i < 32; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, 32 * sizeof(int));
  cudaMemcpy(d_x, x.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  exchange<<<1, 32>>>(d_x);
  cudaMemcpy(x.data(), d_x, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be 1\n", x[0]);
  cudaFree(d_x);
}
