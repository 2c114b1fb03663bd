// Wrong: `x + 1` is a multiple of 4 bytes, a float4 needs a multiple of 16.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_of_four(float* sums, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = reinterpret_cast<const float4*>(x)[i];  // expect: misaligned
  sums[i] = v.x + v.y + v.z + v.w;
}

int main() {
  const int n = 64;
  std::vector<float> x(4 * n + 1, 1.0f), sums(n);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, x.size() * sizeof(float));
  cudaMalloc(&d_sums, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum_of_four<<<1, n>>>(d_sums, d_x + 1, n);  // skips a header element
  cudaMemcpy(sums.data(), d_sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %g\n", sums[0]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
