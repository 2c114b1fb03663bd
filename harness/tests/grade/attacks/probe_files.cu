// Asks the preprocessor which files the machine has.
// points: 6
// says: CORRECT
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

#if __has_include("/etc/passwd") || __has_include("@ROOT@/solutions/01_map/kernels.cu") || \
                                                  __has_include("@ROOT@/puzzles/01_map/puzzle.cpp")
#error SUCCEEDED
#endif

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
