// A butterfly: after five exchanges every lane knows the sum of its warp; partners meet through the shuffle
// alone.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void centre(float* x, int n) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = row * 32 + lane;
  const bool mine = i < n;
  const float value = mine ? x[i] : 0.0f;
  float sum = value;
  for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  if (mine) x[i] = value - sum / 32.0f;
}

int main() {
  const int n = 32 * 11;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i % 32);
  float* d_x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  centre<<<3, 128>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != static_cast<float>(i % 32) - 15.5f;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  return wrong != 0;
}
