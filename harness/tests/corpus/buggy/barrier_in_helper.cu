// Wrong: the helper has a barrier inside, and the kernel calls it under a condition.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__device__ float block_sum(float value, float* scratch) {
  const int t = threadIdx.x;
  scratch[t] = value;
  __syncthreads();  // expect: divergent_barrier
  float sum = 0.0f;
  for (int i = 0; i < kBlock / 2; ++i) sum += scratch[i];
  return sum;
}

__global__ void centre(float* x) {
  __shared__ float scratch[kBlock];
  const int t = threadIdx.x;
  if (t < kBlock / 2) x[t] -= block_sum(x[t], scratch) / (kBlock / 2);
  x[kBlock + t] = x[t];
}

int main() {
  std::vector<float> x(2 * kBlock, 1.0f);
  float* d_x;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  centre<<<1, kBlock>>>(d_x);
  cudaMemcpy(x.data(), d_x, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %g\n", x[0]);
  cudaFree(d_x);
}
