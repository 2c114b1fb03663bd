// Wrong: thread 0 clears the total while others already add to it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_even(int* counts, const int* x) {
  __shared__ int total;
  const int t = threadIdx.x;
  const bool even = x[blockIdx.x * blockDim.x + t] % 2 == 0;
  if (t == 0) total = 0;           // expect: race_shared
  if (even) atomicAdd(&total, 1);  // expect-other: race_shared; may: uninit_shared
  __syncthreads();
  if (t == 0) counts[blockIdx.x] = total;
}

int main() {
  const int block = 128, blocks = 3, n = block * blocks;
  std::vector<int> x(n), counts(blocks);
  for (int i = 0; i < n; ++i) x[i] = i;
  int *d_x, *d_counts;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_counts, blocks * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_even<<<blocks, block>>>(d_counts, d_x);
  cudaMemcpy(counts.data(), d_counts, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d even numbers in the first block, should be %d\n", counts[0], block / 2);
  cudaFree(d_x);
  cudaFree(d_counts);
}
