// Wrong: nothing lies between the loads into the tile and the reads of what other threads loaded.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 256;

__global__ void reverse_blocks(int* x) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  int* block = x + blockIdx.x * kBlock;
  tile[t] = block[t];               // expect-other: race_shared
  block[t] = tile[kBlock - 1 - t];  // expect: race_shared; may: uninit_shared
}

int main() {
  const int n = 4 * kBlock;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_blocks<<<4, kBlock>>>(d_x);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %d, should be %d\n", x[0], kBlock - 1);
  cudaFree(d_x);
}
