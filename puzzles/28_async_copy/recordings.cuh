// Puzzle 28, --streams: what its program is given. Recordings, the kernel that smooths them, a clock, and the
// way of doing it in which nothing overlaps.
#pragma once

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#if __has_include(<workbook_sim/host_clock.h>)
extern "C" double workbook_sim_host_us();
// The host's clock in microseconds. On the simulator it is the modelled one: copies, kernels and calls take
// the time that they would take on the GPU that is modelled, and the host's own computation takes none.
inline double host_us() { return workbook_sim_host_us(); }
constexpr int kTrials = 1;
#else
#include <chrono>
inline double host_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}
// Of these the fastest counts: the first takes longer on a GPU, and any may be disturbed.
constexpr int kTrials = 10;
#endif

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kRecordings = 8, kChannels = 4096, kSamples = 64;
constexpr std::size_t kElements = kChannels * kSamples;  // of a recording: samples of all channels, in turn
constexpr std::size_t kBytes = kElements * sizeof(float);
constexpr int kStreams = 3;
constexpr int kThreads = 128, kBlocks = kChannels / kThreads;  // a thread a channel
constexpr float kSmoothing = 0.125f;

// y follows x: each sample goes an eighth of the way from the one before it to what was recorded.
static __global__ void smooth_kernel(float* y, const float* x) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0.0f;
  for (int sample = 0; sample < kSamples; ++sample) {
    value += kSmoothing * (x[sample * kChannels + channel] - value);
    y[sample * kChannels + channel] = value;
  }
}

// The first `recordings` of them, one after the other, in the default stream.
inline void smooth_in_turn(int recordings, float* y, const float* x, float* d_y, float* d_x) {
  for (int i = 0; i < recordings; ++i) {
    const std::size_t first = i * kElements;
    check(cudaMemcpyAsync(d_x + first, x + first, kBytes, cudaMemcpyHostToDevice), "copy to the device");
    smooth_kernel<<<kBlocks, kThreads>>>(d_y + first, d_x + first);
    check(cudaMemcpyAsync(y + first, d_y + first, kBytes, cudaMemcpyDeviceToHost), "copy to the host");
  }
  check(cudaDeviceSynchronize(), "recordings in turn");
}

inline void record(float* x) {
  for (std::size_t i = 0; i < kRecordings * kElements; ++i)
    x[i] = static_cast<float>(i * 7919 % 1013) * 0.01f - 5.0f;
}

// Looks at one channel in sixteen of each recording, all of its samples.
inline bool is_smooth(const float* y, const float* x) {
  for (int i = 0; i < kRecordings; ++i)
    for (int channel = i; channel < kChannels; channel += 16) {
      double value = 0.0;
      for (int sample = 0; sample < kSamples; ++sample) {
        const std::size_t at = i * kElements + sample * kChannels + channel;
        value += kSmoothing * (x[at] - value);
        if (!(std::fabs(y[at] - value) <= 1e-5)) return false;
      }
    }
  return true;
}
