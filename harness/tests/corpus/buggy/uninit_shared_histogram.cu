// Wrong: the block's histogram in dynamic shared memory is counted into without being cleared.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

extern __shared__ int local_bins[];

__global__ void histogram(int* bins, const unsigned char* text, int n, int bin_count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local_bins[text[i] % bin_count], 1);  // expect: uninit_shared
  __syncthreads();
  for (int b = threadIdx.x; b < bin_count; b += blockDim.x) atomicAdd(&bins[b], local_bins[b]);
}

int main() {
  const int n = 3000, bin_count = 16;
  std::vector<unsigned char> text(n);
  for (int i = 0; i < n; ++i) text[i] = static_cast<unsigned char>(i);
  unsigned char* d_text;
  int *d_bins, bins[bin_count];
  cudaMalloc(&d_text, n);
  cudaMalloc(&d_bins, sizeof bins);
  cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, sizeof bins);
  histogram<<<4, 128, bin_count * sizeof(int)>>>(d_bins, d_text, n, bin_count);
  cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  std::printf("bin 0 holds %d\n", bins[0]);
  cudaFree(d_text);
  cudaFree(d_bins);
}
