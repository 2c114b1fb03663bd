// Threads count together in a shared variable.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void count_above(const float* x, int n, float limit, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (x[i] > limit) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

int main() {
  const int n = 300;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  float* x;
  int *out, got;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&out, 4);
  cudaMemcpy(x, h.data(), n * 4, cudaMemcpyHostToDevice);
  count_above<<<1, 64>>>(x, n, 99.5f, out);
  cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  cudaFree(x);
  cudaFree(out);
}
