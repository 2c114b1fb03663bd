// The mask of the last warp is voted for while all lanes are still there; then the rest leaves.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void warp_sums(float* sums, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned int mask = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  float value = x[i];
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(mask, value, offset);
    if (lane + offset < __popc(mask)) value += other;
  }
  if (lane == 0) sums[i / 32] = value;
}

int main() {
  const int n = 85, warps = 3;
  std::vector<float> x(n, 1.0f), sums(warps);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, warps * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  warp_sums<<<1, 128>>>(d_sums, d_x, n);
  cudaMemcpy(sums.data(), d_sums, warps * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", sums[0], sums[1], sums[2]);
  cudaFree(d_x);
  cudaFree(d_sums);
  return sums[0] != 32.0f || sums[1] != 32.0f || sums[2] != 21.0f;
}
