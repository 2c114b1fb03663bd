// Puzzle 30, the questions. Nothing is to be written in this file: it runs the three kernels of given.cuh one
// after the other, on 128 steps of 1024 channels. `workbook run 30 --questions --counters` shows what they
// have done. The answers go into answers.txt, a line each:
//
// spread: the loads of which kernel touch the most sectors a request?
//
// sectors: how many sectors a request are these?
//
// found: and how many percent of the sectors that it loads does that kernel find in L1?
//
// missing: which kernel finds the least of its sectors in L1?
//
// fewest: which kernel makes the fewest load requests?
//
// warps: how many warps does that one launch?
//
// waits: and how often does each of them wait for memory?
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "given.cuh"

constexpr int kSteps = 128, kChannels = 1024;
constexpr int kSums = kSteps * kChannels, kElements = (kSteps + kWindow - 1) * kChannels;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

// What `launch` leaves in out, compared with `right`.
template <class Launch>
void run(const char* name, float* out, const std::vector<float>& right, Launch launch) {
  check(cudaMemset(out, 0xff, kSums * sizeof(float)), "cudaMemset");
  launch();
  check(cudaDeviceSynchronize(), name);
  std::vector<float> sums(kSums);
  check(cudaMemcpy(sums.data(), out, kSums * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  int wrong = 0;
  for (int i = 0; i < kSums; ++i) wrong += sums[i] != right[i];
  std::printf("%s: %d of %d sums are wrong\n", name, wrong, kSums);
}

int main() {
  std::vector<float> x(kElements), right(kSums);
  for (int i = 0; i < kElements; ++i) x[i] = static_cast<float>(i * 37 % 1009 - 400) / 64;
  for (int k = 0; k < kWindow; ++k)
    for (int i = 0; i < kSums; ++i) right[i] += x[i + k * kChannels];

  float *d_x = nullptr, *d_out = nullptr;
  check(cudaMalloc(&d_x, kElements * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_out, kSums * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_x, x.data(), kElements * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

  run("columns_kernel", d_out, right, [&] {
    columns_kernel<<<dim3(kSteps / kColumnsBlock, kChannels / kRun), kColumnsBlock>>>(d_out, d_x, kSteps,
                                                                                      kChannels);
  });
  constexpr int kVectors = kChannels / kLanes;
  run("thrash_kernel", d_out, right, [&] {
    thrash_kernel<<<dim3(kVectors / kThrashWide, kSteps / kThrashHigh), kWarpSize>>>(
        reinterpret_cast<float4*>(d_out), reinterpret_cast<const float4*>(d_x), kSteps, kVectors);
  });
  run("chain_kernel", d_out, right,
      [&] { chain_kernel<<<kChannels / kChainBlock, kChainBlock>>>(d_out, d_x, kSteps, kChannels); });
  for (float* memory : {d_x, d_out}) cudaFree(memory);
}
