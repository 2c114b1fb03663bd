// The last block has more threads than elements. They load the neutral element and stay for all barriers.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__device__ int warp_scan(int value, int lane) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += left;
  }
  return value;
}

__global__ void block_scan(int* x, int* totals, int n) {
  __shared__ int warp_totals[kBlock / 32];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t, lane = t % 32, warp = t / 32;
  int value = warp_scan(i < n ? x[i] : 0, lane);
  if (lane == 31) warp_totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int total = warp_scan(lane < kBlock / 32 ? warp_totals[lane] : 0, lane);
    if (lane < kBlock / 32) warp_totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) value += warp_totals[warp - 1];
  if (i < n) x[i] = value;
  if (t == kBlock - 1) totals[blockIdx.x] = value;
}

__global__ void add_totals(int* x, const int* totals, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n && blockIdx.x > 0) x[i] += totals[blockIdx.x - 1];
}

int main() {
  const int n = 451, blocks = 4;
  std::vector<int> x(n, 3);
  int *d_x, *d_totals;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_totals, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  block_scan<<<blocks, kBlock>>>(d_x, d_totals, n);
  block_scan<<<1, kBlock>>>(d_totals, d_totals + blocks - 1, blocks - 1);  // the last total is not needed
  add_totals<<<blocks, kBlock>>>(d_x, d_totals, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != 3 * (i + 1);
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  cudaFree(d_totals);
  return wrong != 0;
}
