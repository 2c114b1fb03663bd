// Wrong: a value equal to the maximum falls into bin 10 of 10.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 10;

__global__ void histogram(int* bins, const float* values, float maximum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int bin = static_cast<int>(values[i] / maximum * kBins);
  atomicAdd(&bins[bin], 1);  // expect: oob_global
}

int main() {
  const int n = 101;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i) / 100.0f;
  float* d_values;
  int* d_bins;
  cudaMalloc(&d_values, n * sizeof(float));
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_values, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram<<<1, 128>>>(d_bins, d_values, 1.0f, n);
  int bins[kBins];
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  int total = 0;
  for (const int count : bins) total += count;
  std::printf("%d of %d values are in a bin\n", total, n);
  cudaFree(d_values);
  cudaFree(d_bins);
}
