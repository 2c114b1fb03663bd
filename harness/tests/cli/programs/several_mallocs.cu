// Two allocations on one line: a finding names the one that was overrun.
#include <cuda_runtime.h>

__global__ void increment(float* out, const float* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0f;
}

int main() {
  float *d_in, *d_out;
  // clang-format off
  cudaMalloc(&d_in, 64 * sizeof(float)); cudaMalloc(&d_out, 50 * sizeof(float));
  // clang-format on
  cudaMemset(d_in, 0, 64 * sizeof(float));
  increment<<<1, 64>>>(d_out, d_in);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
}
