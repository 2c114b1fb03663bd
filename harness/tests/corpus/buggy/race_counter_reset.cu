// Wrong: the counter is cleared by the launch that counts; blocks that run earlier have counted already.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_above(int* count, const float* x, float limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *count = 0;                          // expect: race_global
  if (i < n && x[i] > limit) atomicAdd(count, 1);  // expect-other: race_global
}

int main() {
  const int n = 1280;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  float* d_x;
  int *d_count, count = 0;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int limit = 0; limit < 3; ++limit) count_above<<<10, 128>>>(d_count, d_x, 100.0f * limit, n);
  cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d above 200, should be %d\n", count, n - 201);
  cudaFree(d_x);
  cudaFree(d_count);
}
