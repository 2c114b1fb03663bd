// Case 3. A microphone signal has clicks in it: single samples, far too loud. Each block takes its part of
// the signal into shared memory, replaces every click by the mean of its neighbours, and then smooths the
// part.
//
// This is the program as it was handed in: evidence, so leave it as it is. What it prints should be no louder
// than 4, with and without clicks. Answer in answers.txt:
//   clicks line     the line of the barrier that some threads of a block never come to
//   clicks block    the last of the 12 blocks in which that happens
//   clicks threads  how many threads of that block do come to it
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 128, kBlocks = 12, kSamples = kThreads * kBlocks;
constexpr float kLoudest = 8.0f;  // what is above is a click

__device__ float neighbours_mean(const float* part, int t) {
  return 0.5f * (part[t > 0 ? t - 1 : t + 1] + part[t < kThreads - 1 ? t + 1 : t - 1]);
}

__global__ void remove_clicks_kernel(float* smooth, const float* signal) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  const int at = blockIdx.x * kThreads + t;
  part[t] = signal[at];
  __syncthreads();
  if (fabsf(part[t]) > kLoudest) {
    const float repaired = neighbours_mean(part, t);
    __syncthreads();  // all clicks are looked at before the first one is overwritten
    part[t] = repaired;
  }
  __syncthreads();
  smooth[at] = 0.5f * part[t] + 0.5f * neighbours_mean(part, t);
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// A triangle wave of height 4 with three clicks.
std::vector<float> recorded() {
  std::vector<float> signal(kSamples);
  for (int i = 0; i < kSamples; ++i) signal[i] = static_cast<float>(std::abs(i % 32 - 16)) * 0.5f - 4.0f;
  signal[601] = 31.0f;
  signal[1189] = -27.0f;
  signal[1215] = 19.0f;
  return signal;
}

int main() {
  const std::vector<float> signal = recorded();
  float *d_signal = nullptr, *d_smooth = nullptr;
  check(cudaMalloc(&d_signal, kSamples * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_smooth, kSamples * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_signal, signal.data(), kSamples * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

  remove_clicks_kernel<<<kBlocks, kThreads>>>(d_smooth, d_signal);
  check(cudaDeviceSynchronize(), "remove_clicks_kernel");
  std::vector<float> smooth(kSamples);
  check(cudaMemcpy(smooth.data(), d_smooth, kSamples * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");

  float loudest = 0.0f;
  int where = 0;
  for (int i = 0; i < kSamples; ++i)
    if (std::fabs(smooth[i]) > loudest) loudest = std::fabs(smooth[where = i]);
  std::printf("loudest sample: %.2f, at %d\n", loudest, where);
  for (float* memory : {d_signal, d_smooth}) cudaFree(memory);
  return loudest <= 4.0f ? 0 : 1;
}
