// Wrong: the loop has a barrier, and as many turns as the thread has rows: some threads come to it more
// often.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 96;

__global__ void strided_sums(float* sums, const float* x, int n) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = 0.0f;
  for (int i = t; i < n; i += kBlock) {
    partial[t] += x[i];
    __syncthreads();  // expect: divergent_barrier
  }
  sums[t] = partial[t];
}

int main() {
  const int n = 250;
  std::vector<float> x(n, 1.0f), sums(kBlock);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, kBlock * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  strided_sums<<<1, kBlock>>>(d_sums, d_x, n);
  cudaMemcpy(sums.data(), d_sums, kBlock * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %g\n", sums[0]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
