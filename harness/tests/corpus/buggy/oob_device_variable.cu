// Wrong: the filter has nine taps, the loop runs over ten.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTaps = 9;
__device__ float taps[kTaps];

__global__ void filter(float* out, const float* in, int n, int last_tap) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + last_tap >= n) return;
  float sum = 0.0f;
  for (int t = 0; t <= last_tap; ++t) sum += taps[t] * in[i + t];  // expect: oob_global
  out[i] = sum;
}

int main() {
  const int n = 256;
  const float host_taps[kTaps] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<float> in(n, 1.0f), out(n);
  float *d_in, *d_out;
  cudaMemcpyToSymbol(taps, host_taps, sizeof host_taps);
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_out, n * sizeof(float));
  cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, n * sizeof(float));
  filter<<<2, 128>>>(d_out, d_in, n, kTaps);
  cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[0] = %g\n", out[0]);
  cudaFree(d_in);
  cudaFree(d_out);
}
