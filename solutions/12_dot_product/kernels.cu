// Puzzle 12, Dot product: out[i] = what is made of a[i], one thread an element.
//
// Say here what is given, what is to be written, and what a thread must not do.
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

__global__ void dot_product_kernel(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;  // the last block has threads without an element
  // FILL ME IN: dot_product (roughly 1 line)
  // END: dot_product
}
