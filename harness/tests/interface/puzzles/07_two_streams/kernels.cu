#include <cuda_runtime.h>

__global__ void double_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] * 2.0f;
}

__global__ void plus_three_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 3.0f;
}

__global__ void sum_kernel(float* out, const float* a, const float* b, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + b[i];
}

void run_forked(float* out, float* left, float* right, const float* a, int size, cudaStream_t stream) {
  const int blocks = (size + 63) / 64;
  // FILL ME IN: work (roughly 12 lines)
  // END: work
}
