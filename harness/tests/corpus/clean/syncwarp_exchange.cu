// Every warp turns its 32 elements round through its own row of shared memory; __syncwarp() is all it needs.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kWarps = 4;

__global__ void reverse_warps(int* x, int rounds) {
  __shared__ int rows[kWarps][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int r = 0; r < rounds; ++r) {
    rows[warp][lane] = x[threadIdx.x];
    __syncwarp();
    x[threadIdx.x] = rows[warp][31 - lane];
    __syncwarp();  // the row is used again in the next round
  }
}

int main() {
  const int n = 32 * kWarps;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) x[i] = i;
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_warps<<<1, n>>>(d_x, 3);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != i / 32 * 32 + 31 - i % 32;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  return wrong != 0;
}
