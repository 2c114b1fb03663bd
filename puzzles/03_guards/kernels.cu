// Puzzle 03, Guards: how much a recording `a` changes around each of its elements.
//   --near  near[i] = a[i + 1] - a[i - 1]
//   --far   far[i]  = a[i + distance] - a[i - distance]
// Before its first element the recording was 0; after its last one it stays as the last one is. So where
// there is no element on the left, 0 takes its place; where there is none on the right, a[size - 1] does.
//
// A thread owns one element and touches others. It must not touch what is not there, not even to throw the
// value away. `size` may be 1, and `distance` larger than `size`.
#include <cuda_runtime.h>

constexpr int kBlockSize = 256;

__global__ void near_kernel(float* near, const float* a, int size) {
  // FILL ME IN: near (roughly 5 lines)
  // END: near
}

__global__ void far_kernel(float* far, const float* a, int size, int distance) {
  // FILL ME IN: far (roughly 5 lines)
  // END: far
}
