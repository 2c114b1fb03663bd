// Wrong: threads count together in a local variable, by atomics.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void count_above(const float* x, int n, float limit, int* out) {
  int count = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (x[i] > limit) atomicAdd(&count, 1);  // expect-warning: bad_api_call; says: local variable
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
