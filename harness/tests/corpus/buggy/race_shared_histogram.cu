// Wrong: several threads of a block count into one bin with a plain ++, and lose counts.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 16;

__global__ void histogram(int* bins, const int* values, int n) {
  __shared__ int local[kBins];
  if (threadIdx.x < kBins) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) local[values[i]]++;  // expect: race_shared
  __syncthreads();
  if (threadIdx.x < kBins) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int n = 1000;
  std::vector<int> values(n), bins(kBins);
  for (int i = 0; i < n; ++i) values[i] = i * i % kBins;
  int *d_values, *d_bins;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram<<<4, 256>>>(d_bins, d_values, n);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("bin 0 holds %d, should be 250\n", bins[0]);
  cudaFree(d_values);
  cudaFree(d_bins);
}
