// The barriers that count and vote: the loop ends for all threads of the block in the same turn.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 96;

__global__ void odd_even_sort(int* x, int* turns, int* small) {
  __shared__ int values[kBlock];
  const int t = threadIdx.x;
  values[t] = x[t];
  const int below = __syncthreads_count(values[t] < 10);
  bool changed = true;
  int turn = 0;
  while (__syncthreads_or(changed)) {
    changed = false;
    for (int phase = 0; phase < 2; ++phase) {
      if (t % 2 == phase && t + 1 < kBlock && values[t] > values[t + 1]) {
        const int larger = values[t];
        values[t] = values[t + 1];
        values[t + 1] = larger;
        changed = true;
      }
      __syncthreads();
    }
    ++turn;
  }
  const bool sorted = __syncthreads_and(t == 0 || values[t - 1] <= values[t]);
  x[t] = values[t];
  if (t == 0) *turns = sorted ? turn : -1, *small = below;
}

int main() {
  std::vector<int> x(kBlock);
  for (int i = 0; i < kBlock; ++i) x[i] = i * 35 % kBlock;
  int *d_x, *d_turns, *d_small, turns = 0, small = 0;
  cudaMalloc(&d_x, kBlock * sizeof(int));
  cudaMalloc(&d_turns, sizeof(int));
  cudaMalloc(&d_small, sizeof(int));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  odd_even_sort<<<1, kBlock>>>(d_x, d_turns, d_small);
  cudaMemcpy(x.data(), d_x, kBlock * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&turns, d_turns, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&small, d_small, sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = turns < 1 || small != 10;
  for (int i = 0; i < kBlock; ++i) wrong += x[i] != i;
  std::printf("%d turns, %d wrong\n", turns, wrong);
  cudaFree(d_x), cudaFree(d_turns), cudaFree(d_small);
  return wrong != 0;
}
