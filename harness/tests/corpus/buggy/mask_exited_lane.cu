// Wrong: the lanes past the end have returned, and their neighbours still fetch values from them. A mask may
// name lanes that have ended; what a shuffle reads from one is undefined.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void warp_sums(float* sums, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);  // expect: bad_warp_mask
  if (threadIdx.x % 32 == 0) sums[i / 32] = value;
}

int main() {
  const int n = 50, warps = 2;
  std::vector<float> x(n, 1.0f), sums(warps);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, warps * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  warp_sums<<<1, 64>>>(d_sums, d_x, n);
  cudaMemcpy(sums.data(), d_sums, warps * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g and %g, should be 32 and 18\n", sums[0], sums[1]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
