// Compaction with one atomic a warp: the vote says who keeps an element, the leader fetches places for all.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void keep_odd(int* out, int* size, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool keep = i < n && x[i] % 2 != 0;
  const unsigned int keepers = __ballot_sync(0xffffffffu, keep);
  if (!keep) return;
  const int leader = __ffs(keepers) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(size, __popc(keepers));
  base = __shfl_sync(keepers, base, leader);
  out[base + __popc(keepers & ((1u << lane) - 1))] = x[i];
}

int main() {
  const int n = 1000;
  std::vector<int> x(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = i * 7 % n;
  int *d_x, *d_out, *d_size, size = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMalloc(&d_size, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_size, 0, sizeof(int));
  keep_odd<<<4, 256>>>(d_out, d_size, d_x, n);
  cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(out.data(), d_out, size * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(out.begin(), out.begin() + size);
  int wrong = size != n / 2;
  for (int k = 0; k < size; ++k) wrong += out[k] != 2 * k + 1;
  std::printf("%d kept, %d wrong\n", size, wrong);
  cudaFree(d_x), cudaFree(d_out), cudaFree(d_size);
  return wrong != 0;
}
