#include <cuda_fp16.h>

__global__ void double_kernel(half* out, const half* a, int size) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  // FILL ME IN: work (roughly 4 lines)
  // END: work
}
