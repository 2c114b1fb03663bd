// A filter in constant memory, replaced between two launches; a symbol that is read back.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTaps = 5;
__constant__ float taps[kTaps];
__constant__ int shift = 2;
__device__ int launches;

__global__ void filter(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) launches += 1;
  if (i >= n) return;
  float sum = 0.0f;
  for (int t = 0; t < kTaps; ++t) {
    const int at = i + t - shift;
    if (at >= 0 && at < n) sum += taps[t] * in[at];
  }
  out[i] = sum;
}

int main() {
  const int n = 130;
  std::vector<float> in(n, 1.0f), out(n);
  float *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  int wrong = 0, count = 0;
  for (const float weight : {1.0f, 0.5f}) {
    const std::vector<float> host_taps(kTaps, weight);
    cudaMemcpyToSymbol(taps, host_taps.data(), kTaps * sizeof(float));
    filter<<<2, 96>>>(d_out, d_in, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    wrong += out[0] != 3.0f * weight || out[n / 2] != 5.0f * weight || out[n - 1] != 3.0f * weight;
  }
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  std::printf("%d wrong, %d launches\n", wrong, count);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0 || count != 2;
}
