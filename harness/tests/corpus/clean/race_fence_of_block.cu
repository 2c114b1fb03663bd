// Blocks hand data on behind a fence that reaches other blocks.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void pipe(float* data, volatile int* flags, float* out) {
  __shared__ float carry;
  const int b = blockIdx.x;
  if (threadIdx.x == 0) {
    carry = 0;
    if (b > 0) {
      while (flags[b - 1] == 0) {
      }
      __threadfence();
      carry = data[b - 1];
    }
    data[b] = carry + b;
    __threadfence();
    flags[b] = 1;
  }
  __syncthreads();
  out[b * blockDim.x + threadIdx.x] = carry + threadIdx.x;
}

int main() {
  const int blocks = 4, threads = 32;
  float *data, *out, h[blocks * threads];
  int* flags;
  cudaMalloc(&data, blocks * 4);
  cudaMalloc(&flags, blocks * 4);
  cudaMalloc(&out, sizeof h);
  cudaMemset(flags, 0, blocks * 4);
  pipe<<<blocks, threads>>>(data, flags, out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[127]);
  cudaFree(data);
  cudaFree(flags);
  cudaFree(out);
}
