// Letter frequencies of a text: a privatised histogram a block, and an interleaved walk over the input.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

constexpr int NUM_BINS = 27;

__device__ int bin_of(char c) {
  if (c >= 'a' && c <= 'z') return c - 'a';
  if (c >= 'A' && c <= 'Z') return c - 'A';
  return NUM_BINS - 1;
}

__global__ void histogram_kernel(const char* text, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int histo_s[NUM_BINS];
  for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) histo_s[bin] = 0u;
  __syncthreads();

  // Runs of one letter are added at once.
  unsigned int accumulator = 0;
  int previous = -1;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
    const int bin = bin_of(text[i]);
    if (bin == previous) {
      ++accumulator;
    } else {
      if (accumulator > 0) atomicAdd(&histo_s[previous], accumulator);
      accumulator = 1;
      previous = bin;
    }
  }
  if (accumulator > 0) atomicAdd(&histo_s[previous], accumulator);
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x) {
    const unsigned int value = histo_s[bin];
    if (value > 0) atomicAdd(&histo[bin], value);
  }
}

int main() {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += "The quick brown fox jumps over the lazy dog; pack my box with five dozen jugs!\n";
  char* d_text;
  unsigned int *d_histo, histo[NUM_BINS], expected[NUM_BINS] = {};
  cudaMalloc(&d_text, text.size());
  cudaMalloc(&d_histo, sizeof histo);
  cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice);
  cudaMemset(d_histo, 0, sizeof histo);
  histogram_kernel<<<8, 128>>>(d_text, static_cast<unsigned int>(text.size()), d_histo);
  cudaMemcpy(histo, d_histo, sizeof histo, cudaMemcpyDeviceToHost);
  for (char c : text) {
    const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
    ++expected[lower ? c - 'a' : upper ? c - 'A' : NUM_BINS - 1];
  }
  bool right = true;
  for (int b = 0; b < NUM_BINS; ++b) {
    std::printf("%c %5u%s", b < 26 ? 'a' + b : '.', histo[b], b % 9 == 8 ? "\n" : "  ");
    right = right && histo[b] == expected[b];
  }
  cudaFree(d_text);
  cudaFree(d_histo);
  return right ? 0 : 1;
}
