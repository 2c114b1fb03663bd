// Atomics in shared memory, then one atomic a bin in global memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBins = 64;

__global__ void histogram(unsigned int* bins, const unsigned char* values, int n) {
  __shared__ unsigned int local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[values[i] % kBins], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

int main() {
  const int n = 4099;
  std::vector<unsigned char> values(n);
  std::vector<unsigned int> bins(kBins), expected(kBins, 0);
  for (int i = 0; i < n; ++i) values[i] = static_cast<unsigned char>(i * 31), ++expected[values[i] % kBins];
  unsigned char* d_values;
  unsigned int* d_bins;
  cudaMalloc(&d_values, n);
  cudaMalloc(&d_bins, kBins * sizeof(int));
  cudaMemcpy(d_values, values.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, kBins * sizeof(int));
  histogram<<<5, 48>>>(d_bins, d_values, n);
  cudaMemcpy(bins.data(), d_bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s\n", bins == expected ? "right" : "wrong");
  cudaFree(d_values);
  cudaFree(d_bins);
  return bins != expected;
}
