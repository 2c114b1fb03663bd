// The last warp votes under the full mask although some of its lanes have returned: the rule asks only those
// named lanes to come that have not ended, and a vote reads no value from the others.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_positive(int* count, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int votes = __ballot_sync(0xffffffffu, x[i] > 0.0f);
  if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(votes));
}

int main() {
  const int n = 150;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = i % 3 == 0 ? -1.0f : 1.0f;
  float* d_x;
  int *d_count, count = 0;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_count, 0, sizeof(int));
  count_positive<<<2, 96>>>(d_count, d_x, n);
  cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d of %d are positive\n", count, n);
  cudaFree(d_x);
  cudaFree(d_count);
  return count != 100;
}
