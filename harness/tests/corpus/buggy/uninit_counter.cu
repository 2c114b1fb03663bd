// Wrong: the counter that the threads add to was never set to zero.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void count_positive(int* count, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.0f) atomicAdd(count, 1);  // expect: uninit_global
}

int main() {
  const int n = 600;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = i % 3 == 0 ? -1.0f : 1.0f;
  float* d_x;
  int *d_count, count = 0;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  count_positive<<<5, 128>>>(d_count, d_x, n);
  cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d of %d are positive\n", count, n);
  cudaFree(d_x);
  cudaFree(d_count);
}
