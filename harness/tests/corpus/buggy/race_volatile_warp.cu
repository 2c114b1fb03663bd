// Wrong: the old idiom, a volatile pointer instead of barriers in the last warp. It relied on lanes in step,
// which Volta gave up: volatile makes each access happen, and orders nothing between threads.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__device__ void reduce_warp(volatile int* partial, int t) {
  partial[t] = partial[t] + partial[t + 32];  // expect: race_shared
  partial[t] = partial[t] + partial[t + 16];  // expect-other: race_shared
  partial[t] = partial[t] + partial[t + 8];   // expect-other: race_shared
  partial[t] = partial[t] + partial[t + 4];   // expect-other: race_shared
  partial[t] = partial[t] + partial[t + 2];   // expect-other: race_shared
  partial[t] = partial[t] + partial[t + 1];   // expect-other: race_shared
}

__global__ void sum(int* result, const int* x) {
  __shared__ int partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = x[t];
  __syncthreads();
  if (t < 32) reduce_warp(partial, t);
  if (t == 0) *result = partial[0];
}

int main() {
  std::vector<int> x(kBlock, 1);
  int *d_x, *d_result, result = 0;
  cudaMalloc(&d_x, kBlock * sizeof(int));
  cudaMalloc(&d_result, sizeof(int));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, kBlock>>>(d_result, d_x);
  cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum %d, should be %d\n", result, kBlock);
  cudaFree(d_x);
  cudaFree(d_result);
}
