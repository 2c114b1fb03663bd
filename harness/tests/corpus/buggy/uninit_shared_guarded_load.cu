// Wrong: in the last block some threads load nothing, and the sum reads their elements all the same.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 128;

__global__ void block_sums(float* sums, const float* x, int n) {
  __shared__ float tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int t = 0; t < kBlock; ++t) sum += tile[t];  // expect: uninit_shared
    sums[blockIdx.x] = sum;
  }
}

int main() {
  const int n = 300, blocks = 3;
  std::vector<float> x(n, 1.0f), sums(blocks);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, blocks * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  block_sums<<<blocks, kBlock>>>(d_sums, d_x, n);
  cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", sums[0], sums[1], sums[2]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
