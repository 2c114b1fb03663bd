// Four blocks of a cluster share one histogram: each owns a quarter of the bins, and all add to all of them.
// The host counts in a map of a type that the simulator uses too, so that one of both instances stands for
// both.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <unordered_map>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBlocks = 4, kBins = 32, kOwn = kBins / kBlocks;

__global__ void __cluster_dims__(kBlocks, 1, 1) histogram(int* bins, const int* values, int n) {
  __shared__ int own[kOwn];
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < kOwn) own[threadIdx.x] = 0;
  cluster.sync();  // nobody adds before everybody has cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int* theirs = cluster.map_shared_rank(own, values[i] / kOwn);
    atomicAdd(&theirs[values[i] % kOwn], 1);
  }
  cluster.sync();  // nobody leaves, or reads, before everybody has added
  if (threadIdx.x < kOwn) atomicAdd(&bins[cluster.block_rank() * kOwn + threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int n = 2000;
  std::vector<int> values(n), bins(kBins);
  std::unordered_map<unsigned, unsigned> expected;
  for (int i = 0; i < n; ++i) values[i] = i * i % kBins, ++expected[values[i]];
  int *d_values, *d_bins;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram<<<2 * kBlocks, 64>>>(d_bins, d_values, n);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int bin = 0; bin < kBins; ++bin) right &= static_cast<unsigned>(bins[bin]) == expected[bin];
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_bins);
  return !right;
}
