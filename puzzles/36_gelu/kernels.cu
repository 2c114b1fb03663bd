// Puzzle 36, GELU: y = 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) for every element of a vector.
//   --chain    as an eager framework computes it: a launch for each operation, a vector in memory between two
//   --fused    one kernel: an element is read once, worked on in registers, and written once
//   --exact    the form with the error function, 0.5 x (1 + erf(x / sqrt(2))), in one kernel
//   --vector   the tanh form, four elements a thread: 16 bytes a load
//
// CUDA has tanhf(v) and erff(v) for floats. A literal without an f is a double and makes the arithmetic
// around it double: write 1.0f. kRoot, kCubic and kInvRoot2 stand in given.cuh, and so does what --chain is
// written with, Eager and Chain. kBlockSize = 256.
#include <cuda_runtime.h>

#include "given.cuh"

// Host code, called once: each line is a launch. `run` is the framework, `t` are its vectors (see Chain).
void gelu_chain(const Eager& run, const Chain& t) {
  run.scale(t.half, t.x, 0.5f);
  run.multiply(t.square, t.x, t.x);
  // FILL ME IN: chain (roughly 7 lines)
  // END: chain
}

// The tanh form of one element.
__device__ inline float gelu_tanh(float x) {
  float y = 0.0f;
  // FILL ME IN: gelu_tanh (roughly 2 lines)
  // END: gelu_tanh
  return y;
}

// Grid of ceil(size / kBlockSize) blocks.
__global__ void fused_kernel(float* y, const float* x, int size) {
  // FILL ME IN: fused (roughly 2 lines)
  // END: fused
}

// The exact form of one element.
__device__ inline float gelu_exact(float x) {
  float y = 0.0f;
  // FILL ME IN: gelu_exact (roughly 1 line)
  // END: gelu_exact
  return y;
}

// Grid of ceil(size / kBlockSize) blocks.
__global__ void exact_kernel(float* exact, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) exact[i] = gelu_exact(x[i]);
}

// Grid of ceil(ceil(size / 4) / kBlockSize) blocks: a thread has four neighbouring elements. float4 is four
// floats, x, y, z and w, that are loaded and stored together; the vectors begin at an address that it needs,
// a multiple of 16.
__global__ void vector_kernel(float* y, const float* x, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: vector (roughly 6 lines)
  // END: vector
}
