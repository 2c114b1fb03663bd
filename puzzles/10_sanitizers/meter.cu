// A level meter: by how much, in all, a recording of 16-bit samples goes beyond what the loudspeakers can
// play. A block looks at a stretch of the recording, its threads side by side, one round after another, and
// adds up what is too loud in shared memory. That is rare: a few samples in a stretch.
//
// The program as it was handed in prints the right numbers, and does something wrong all the same. Find it
// and make it clean: it must print the same, and no tool may find anything.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 128, kRounds = 16, kBlocks = 6, kSamples = kThreads * kRounds * kBlocks;
constexpr int kLoudest = 30'000;

__global__ void meter_kernel(int* excess_of_block, const short* samples) {
  __shared__ volatile int excess;  // volatile, so that each round reads it anew
  if (threadIdx.x == 0) excess = 0;
  __syncthreads();
  const int begin = blockIdx.x * kRounds * kThreads;
  for (int round = 0; round < kRounds; ++round) {
    const int level = abs(samples[begin + round * kThreads + threadIdx.x]);
    if (level > kLoudest) excess = excess + (level - kLoudest);
  }
  __syncthreads();
  if (threadIdx.x == 0) excess_of_block[blockIdx.x] = excess;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// Quiet but for a few loud samples, far from each other in time. A shout is two of them at nearly the same
// time.
std::vector<short> recorded(bool with_shout) {
  std::vector<short> samples(kSamples);
  for (int i = 0; i < kSamples; ++i) samples[i] = static_cast<short>(i * 613 % 20'011 - 10'000);
  for (const int i : {130, 1907, 5003, 6200, 8160, 11'000}) samples[i] = static_cast<short>(30'100 + i / 10);
  if (with_shout)
    for (const int i : {11'269, 11'334}) samples[i] = static_cast<short>(30'100 + i / 10);
  return samples;
}

// With any argument the recording has a shout in it: the workbook gives one.
int main(int count, char**) {
  const std::vector<short> samples = recorded(count > 1);
  short* d_samples = nullptr;
  int* d_excess = nullptr;
  check(cudaMalloc(&d_samples, kSamples * sizeof(short)), "cudaMalloc");
  check(cudaMalloc(&d_excess, kBlocks * sizeof(int)), "cudaMalloc");
  check(cudaMemcpy(d_samples, samples.data(), kSamples * sizeof(short), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  meter_kernel<<<kBlocks, kThreads>>>(d_excess, d_samples);
  check(cudaDeviceSynchronize(), "meter_kernel");
  std::vector<int> excess(kBlocks);
  check(cudaMemcpy(excess.data(), d_excess, kBlocks * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(d_samples), "cudaFree");
  check(cudaFree(d_excess), "cudaFree");

  int total = 0, expected = 0;
  for (const int of_block : excess) total += of_block;
  for (const short sample : samples)
    expected += std::abs(sample) > kLoudest ? std::abs(sample) - kLoudest : 0;
  std::printf("too loud by %d in all, a plain loop says %d\n", total, expected);
  return total == expected ? 0 : 1;
}
