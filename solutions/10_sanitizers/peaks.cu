// The loudest sample of each of eight channels. Blocks share the channels' recordings among them, and what a
// thread finds goes into the channel's peak if it is louder than what is there.
//
// The program as it was handed in prints the right numbers, and does something wrong all the same. Find it
// and make it clean: it must print the same, and no tool may find anything.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kChannels = 8, kSamples = 4'096, kThreads = 128;

// The grid is (blocks of a channel, channels).
__global__ void peaks_kernel(int* peaks, const short* samples) {
  const int channel = blockIdx.y;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSamples) atomicMax(&peaks[channel], abs(samples[channel * kSamples + i]));
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  std::vector<short> samples(kChannels * kSamples);
  for (int i = 0; i < kChannels * kSamples; ++i)
    samples[i] = static_cast<short>(i * 7919L % (20'000 + i / 16) - 10'000);

  short* d_samples = nullptr;
  int* d_peaks = nullptr;
  check(cudaMalloc(&d_samples, samples.size() * sizeof(short)), "cudaMalloc");
  check(cudaMalloc(&d_peaks, kChannels * sizeof(int)), "cudaMalloc");
  check(cudaMemcpy(d_samples, samples.data(), samples.size() * sizeof(short), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  check(cudaMemset(d_peaks, 0, kChannels * sizeof(int)), "cudaMemset");  // new memory holds anything
  peaks_kernel<<<dim3((kSamples + kThreads - 1) / kThreads, kChannels), kThreads>>>(d_peaks, d_samples);
  check(cudaDeviceSynchronize(), "peaks_kernel");
  std::vector<int> peaks(kChannels);
  check(cudaMemcpy(peaks.data(), d_peaks, kChannels * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(d_samples), "cudaFree");
  check(cudaFree(d_peaks), "cudaFree");

  int wrong = 0;
  for (int channel = 0; channel < kChannels; ++channel) {
    int peak = 0;
    for (int i = 0; i < kSamples; ++i) peak = std::max(peak, std::abs(samples[channel * kSamples + i]));
    wrong += peaks[channel] != peak;
  }
  std::printf("peak of the first channel %d, of the last one %d, %d wrong\n", peaks.front(), peaks.back(),
              wrong);
  return wrong == 0 ? 0 : 1;
}
