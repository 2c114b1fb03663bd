#include <cuda_runtime.h>

__global__ void rows_kernel(long long* where, float* total, const float* x, int rows, int size) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  // FILL ME IN: work (roughly 8 lines)
  // END: work
}
