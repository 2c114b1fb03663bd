// Case 3. A microphone signal has clicks in it: samples that are far too loud. Each block takes its part of
// the signal into shared memory, puts in place of every click the quieter one of its two neighbours, and then
// smooths the part.
//
// What it prints should never be louder than 4. As it was handed in it never ends on one machine, and prints
// something far louder on another: find out why and repair it. Two questions go with it, to be answered in
// answers.txt, about the program as it was:
//   clicks blocks   in how many of the 12 blocks something goes wrong
//   clicks threads  in the last of these: how many threads come to the barrier that the others never come to
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kThreads = 128, kBlocks = 12, kSamples = kThreads * kBlocks;
constexpr float kLoudest = 8.0f;  // what is above is a click

// The neighbours of sample t within its part; at the ends there is one.
__device__ float left(const float* part, int t) { return part[t > 0 ? t - 1 : 1]; }
__device__ float right(const float* part, int t) { return part[t < kThreads - 1 ? t + 1 : kThreads - 2]; }

__device__ float quieter_neighbour(const float* part, int t) {
  return fabsf(left(part, t)) < fabsf(right(part, t)) ? left(part, t) : right(part, t);
}

__global__ void remove_clicks_kernel(float* smooth, const float* signal) {
  __shared__ float part[kThreads];
  const int t = threadIdx.x;
  const int at = blockIdx.x * kThreads + t;
  part[t] = signal[at];
  __syncthreads();
  const bool is_click = fabsf(part[t]) > kLoudest;
  const float repaired = quieter_neighbour(part, t);
  // All threads come here, whatever their sample is: a barrier never stands where only some go.
  __syncthreads();  // all clicks are looked at before the first one is overwritten
  if (is_click) part[t] = repaired;
  __syncthreads();
  smooth[at] = 0.5f * part[t] + 0.25f * (left(part, t) + right(part, t));
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// A triangle wave of height 4 with clicks, one of them two samples long.
std::vector<float> recorded() {
  std::vector<float> signal(kSamples);
  for (int i = 0; i < kSamples; ++i) signal[i] = static_cast<float>(std::abs(i % 32 - 16)) * 0.5f - 4.0f;
  signal[601] = 31.0f;
  signal[1189] = -27.0f;
  signal[1215] = 19.0f;
  signal[1216] = -14.0f;
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
