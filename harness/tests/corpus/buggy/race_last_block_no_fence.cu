// Wrong: the last block to finish adds up the partial sums of the others, with no fence between storing a sum
// and counting it: the count may be seen before the sum.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void sum(float* total, float* partial, unsigned int* done, const float* x) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    float mine = 0.0f;
    for (int i = 0; i < kBlock; ++i) mine += x[blockIdx.x * kBlock + i];
    partial[blockIdx.x] = mine;  // expect-other: race_global
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0.0f;
    for (unsigned int b = 0; b < gridDim.x; ++b) all += partial[b];  // expect: race_global
    *total = all;
  }
}

int main() {
  const int blocks = 8, n = blocks * kBlock;
  std::vector<float> x(n, 1.0f);
  float *d_x, *d_partial, *d_total, total = 0.0f;
  unsigned int* d_done;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_partial, blocks * sizeof(float));
  cudaMalloc(&d_total, sizeof(float));
  cudaMalloc(&d_done, sizeof(unsigned int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_done, 0, sizeof(unsigned int));
  sum<<<blocks, kBlock>>>(d_total, d_partial, d_done, d_x);
  cudaMemcpy(&total, d_total, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g, should be %d\n", total, n);
  cudaFree(d_x), cudaFree(d_partial), cudaFree(d_total), cudaFree(d_done);
}
