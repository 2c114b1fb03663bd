// Wrong: `stride >= 0` holds for ever, because half of 0 is 0.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 64;

__global__ void sum(float* result, const float* x) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x;
  partial[t] = x[t];
  __syncthreads();
  for (int stride = kBlock / 2; stride >= 0; stride /= 2) {  // expect: infinite_loop
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) *result = partial[0];
}

int main() {
  std::vector<float> x(kBlock, 1.0f);
  float *d_x, *d_result, result = 0.0f;
  cudaMalloc(&d_x, kBlock * sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_x, x.data(), kBlock * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, kBlock>>>(d_result, d_x);
  cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g\n", result);
  cudaFree(d_x);
  cudaFree(d_result);
}
