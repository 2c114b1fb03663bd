// Puzzle 24, Warp sum: out[i] = what is made of a[i], one thread an element.
//
// Say here what is given, what is to be written, and what a thread must not do.
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

__global__ void warp_sum_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;  // the last block has threads without an element
  // FILL ME IN: warp_sum (roughly 1 line)
  // END: warp_sum
}
