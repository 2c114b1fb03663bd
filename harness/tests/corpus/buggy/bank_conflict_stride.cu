// Slow: each thread owns 32 consecutive counters, so the same counter of all threads lies in the same bank.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128, kBins = 32, kPerThread = 64;

__global__ void histogram(int* bins, const unsigned char* values) {
  __shared__ int counters[kBlock * kBins];
  const int t = threadIdx.x;
  for (int b = 0; b < kBins; ++b) counters[t * kBins + b] = 0;  // may: bank_conflict
  const unsigned char* mine = values + blockIdx.x * kBlock * kPerThread;
  for (int i = 0; i < kPerThread; ++i)
    counters[t * kBins + mine[i * kBlock + t] % kBins] += 1;  // expect-advice: bank_conflict
  __syncthreads();
  if (t < kBins) {
    int sum = 0;
    for (int i = 0; i < kBlock; ++i) sum += counters[i * kBins + t];
    atomicAdd(&bins[t], sum);
  }
}

int main() {
  const int blocks = 4, n = blocks * kBlock * kPerThread;
  std::vector<unsigned char> values(n, 3);
  int *d_bins, bins[kBins];
  unsigned char* d_values;
  cudaMalloc(&d_values, n);
  cudaMalloc(&d_bins, sizeof bins);
  cudaMemcpy(d_values, values.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof bins);
  histogram<<<blocks, kBlock>>>(d_bins, d_values);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  std::printf("bin 3 holds %d\n", bins[3]);
  cudaFree(d_values);
  cudaFree(d_bins);
  return bins[3] == n ? 0 : 1;
}
