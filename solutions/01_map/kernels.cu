// Puzzle 01, Map: out[i] = a[i] + 10 for every i, one thread an element.
//
// The launch is map_kernel<<<blocks, kBlockSize>>>(out, a, size). Every thread runs the same code; it
// learns which element is its own from three numbers that CUDA gives it:
//   blockIdx.x    the number of its block: 0, 1, 2 ...
//   blockDim.x    threads in a block: kBlockSize
//   threadIdx.x   its place in its block: 0 ... blockDim.x - 1
//
// Blocks come whole, so there may be more threads than elements. A thread without an element runs your
// code all the same, and must touch neither `a` nor `out`.
#include <cuda_runtime.h>

// 64 threads are two warps of 32. Any multiple of 32 up to 1024 would do; a small one keeps the pictures
// small. What that costs where there are many elements is shown in the chapter, under Measure.
constexpr int kBlockSize = 64;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  // Neighbouring threads take neighbouring elements, so the 32 loads of a warp fall into one 128-byte line.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;  // 10.0 without the f would be double arithmetic
  // END: map
}
