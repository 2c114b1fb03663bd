// One thread of a block launches.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_one(int* part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[i] += 1;
}

__global__ void refine(int* cells, const int* level, int per_block) {
  int* part = cells + blockIdx.x * per_block;
  if (level[blockIdx.x] > 0 && threadIdx.x == 0) add_one<<<1, 64>>>(part, per_block);
}

int main() {
  const int blocks = 4, per = 64;
  std::vector<int> h(blocks * per, 0), level = {1, 0, 1, 0};
  int *cells, *l;
  cudaMalloc(&cells, h.size() * 4);
  cudaMalloc(&l, blocks * 4);
  cudaMemcpy(cells, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(l, level.data(), blocks * 4, cudaMemcpyHostToDevice);
  refine<<<blocks, 32>>>(cells, l, per);
  cudaDeviceSynchronize();
  cudaMemcpy(h.data(), cells, h.size() * 4, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], h[per]);
  cudaFree(cells);
  cudaFree(l);
}
