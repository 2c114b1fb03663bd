// Lanes with equal keys find each other and add up as one: match, mask, and reductions under that mask.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_by_key(int* sums, const int* keys, const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned int active = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  const unsigned int peers = __match_any_sync(active, keys[i]);
  const int sum = __reduce_add_sync(peers, values[i]);
  if (lane == __ffs(peers) - 1) atomicAdd(&sums[keys[i]], sum);
}

int main() {
  const int n = 1010, kinds = 6;
  std::vector<int> keys(n), values(n), sums(kinds), expected(kinds, 0);
  for (int i = 0; i < n; ++i) keys[i] = i * i % kinds, values[i] = i, expected[keys[i]] += i;
  int *d_keys, *d_values, *d_sums;
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_sums, kinds * sizeof(int));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_sums, 0, kinds * sizeof(int));
  add_by_key<<<8, 128>>>(d_sums, d_keys, d_values, n);
  cudaMemcpy(sums.data(), d_sums, kinds * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", sums == expected ? "right" : "wrong");
  cudaFree(d_keys), cudaFree(d_values), cudaFree(d_sums);
  return sums != expected;
}
