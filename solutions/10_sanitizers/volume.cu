// A recording is made louder: four neighbouring samples a thread, which is one trip through the index for
// four stores. Its length is no multiple of four, so the last thread has two samples.
//
// The program as it was handed in prints the right numbers, and does something wrong all the same. Find it
// and make it clean: it must print the same, and no tool may find anything.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kSamples = 10'002, kThreads = 128, kEach = 4;
constexpr float kGain = 1.5f;

__global__ void louder_kernel(float* out, const float* in, int size) {
  const int first = kEach * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + kEach; ++i) {
    const float sample = i < size ? in[i] : 0.0f;
    if (i < size) out[i] = kGain * sample;  // each access has its own guard: the load's is not the store's
  }
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int main() {
  std::vector<float> recording(kSamples);
  for (int i = 0; i < kSamples; ++i) recording[i] = static_cast<float>(i * 37 % 101 - 50) / 64.0f;

  float *d_in = nullptr, *d_out = nullptr;
  check(cudaMalloc(&d_in, kSamples * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(&d_out, kSamples * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(d_in, recording.data(), kSamples * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  const int threads = (kSamples + kEach - 1) / kEach;
  louder_kernel<<<(threads + kThreads - 1) / kThreads, kThreads>>>(d_out, d_in, kSamples);
  check(cudaDeviceSynchronize(), "louder_kernel");
  std::vector<float> louder(kSamples);
  check(cudaMemcpy(louder.data(), d_out, kSamples * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaFree(d_in), "cudaFree");
  check(cudaFree(d_out), "cudaFree");

  int wrong = 0;
  float peak = 0.0f;
  for (int i = 0; i < kSamples; ++i) {
    wrong += louder[i] != kGain * recording[i];
    peak = std::fmax(peak, std::fabs(louder[i]));
  }
  std::printf("%d samples, %d wrong, peak %.4f\n", kSamples, wrong, peak);
  return wrong == 0 ? 0 : 1;
}
