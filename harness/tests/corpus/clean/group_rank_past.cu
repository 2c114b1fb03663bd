// What the first thread of a group has is at rank 0.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void bucket(const int* keys, int* counts, int* slots, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cg::coalesced_group active = cg::coalesced_threads();
  int key = keys[i];
  auto group = cg::labeled_partition(active, key);
  int base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(&counts[key], (int)group.size());
  base = group.shfl(base, 0);
  slots[i] = base + group.thread_rank();
}
int main() {
  const int n = 96;
  int h[n], *keys, *counts, *slots, out[n];
  for (int i = 0; i < n; ++i) h[i] = i % 4;
  cudaMalloc(&keys, sizeof h);
  cudaMalloc(&counts, 16);
  cudaMalloc(&slots, sizeof h);
  cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, 16);
  bucket<<<1, 128>>>(keys, counts, slots, n);
  cudaMemcpy(out, slots, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d\n", out[0], out[95]);
  cudaFree(keys);
  cudaFree(counts);
  cudaFree(slots);
}
