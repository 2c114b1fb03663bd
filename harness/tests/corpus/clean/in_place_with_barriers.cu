// In place, and still ordered: everybody reads, a barrier, everybody writes, a barrier.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void diffuse(float* x, int steps) {
  const int t = threadIdx.x;
  float* mine = x + blockIdx.x * kBlock;
  for (int s = 0; s < steps; ++s) {
    const float left = mine[t > 0 ? t - 1 : 0], right = mine[t < kBlock - 1 ? t + 1 : t];
    const float next = 0.5f * mine[t] + 0.25f * (left + right);
    __syncthreads();
    mine[t] = next;
    __syncthreads();
  }
}

int main() {
  const int blocks = 2, n = blocks * kBlock;
  std::vector<float> x(n, 0.0f);
  x[kBlock / 2] = 64.0f;
  float* d_x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  diffuse<<<blocks, kBlock>>>(d_x, 4);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0.0f;
  for (const float v : x) sum += v;
  std::printf("sum %g, peak %g\n", sum, x[kBlock / 2]);
  cudaFree(d_x);
  return sum != 64.0f || x[kBlock / 2] != 17.5f;
}
