// Wrong: the upper lanes of a warp call the shuffle, and the others wait for them behind it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_lower(float* sums, const float* x) {
  const int t = threadIdx.x;
  float value = x[t];
  if (t % 32 >= 16) value += __shfl_up_sync(0xffffffffu, value, 16);  // expect: bad_warp_mask
  __syncwarp();                                                       // expect: bad_warp_mask
  sums[t] = value;
}

int main() {
  const int n = 64;
  std::vector<float> x(n, 1.0f), sums(n);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  add_lower<<<1, n>>>(d_sums, d_x);
  cudaMemcpy(sums.data(), d_sums, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sums[16] = %g\n", sums[16]);
  cudaFree(d_x);
  cudaFree(d_sums);
}
