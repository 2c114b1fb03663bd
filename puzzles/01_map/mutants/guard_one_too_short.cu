// expect: written
// variant: map
// Puzzle 01, Map: out[i] = a[i] + 10 for every i, one thread an element.
//
// The launch is map_kernel<<<blocks, kBlockSize>>>(out, a, size). Every thread runs the same code; it
// learns which element is its own from three numbers that CUDA gives it:
//   blockIdx.x    the number of its block: 0, 1, 2 ...
//   blockDim.x    threads in a block: kBlockSize
//   threadIdx.x   its place in its block: 0 ... blockDim.x - 1
//
// Blocks come whole. 200 elements take 4 blocks of 64, so the last 56 threads of the last block have
// no element: such a thread must touch neither `a` nor `out`.
#include <cuda_runtime.h>

// 64 threads are two warps. Any multiple of 32 would do; a small one keeps the pictures small, and 32
// blocks of 64 still fill all 2048 thread slots of an H200's multiprocessor.
constexpr int kBlockSize = 64;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  // Neighbouring threads take neighbouring elements, so the 32 loads of a warp fall into one 128-byte line.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size - 1) out[i] = a[i] + 10.0f;
  // END: map
}
