// Wrong: half of a warp shuffles with a mask that names all 32 lanes; the other half never comes.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void sum_positive(float* sums, const float* x) {
  const int t = threadIdx.x;
  float value = x[t];
  if (t % 32 < 16) {
    for (int offset = 8; offset > 0; offset /= 2)
      value += __shfl_down_sync(0xffffffffu, value, offset);  // expect: bad_warp_mask
  } else {
    value = 0.0f;
  }
  sums[t] = value;
}

int main() {
  const int n = 64;
  std::vector<float> x(n, 1.0f), sums(n);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum_positive<<<1, n>>>(d_sums, d_x);
  cudaMemcpy(sums.data(), d_sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[0] = %g\n", sums[0]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
