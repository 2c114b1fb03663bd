#include <cuda_runtime.h>

__global__ void add_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 1.0f;
}

__global__ void double_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] * 2.0f;
}

void run_both(float* out, float* middle, const float* a, int size, cudaStream_t stream) {
  const int blocks = (size + 63) / 64;
  // FILL ME IN: work (roughly 11 lines)
  // END: work
}
