// Puts functions of its own in place of those that look at each access, and reads out of bounds.
// points: 0
// says: does not link|error
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

extern "C" void __tsan_read4(void*) {}
extern "C" void __tsan_write4(void*) {}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float next = a[i + 1];
  if (i < size) out[i] = next > 1e30f ? 0.0f : a[i] + 10.0f;
  // END: map
}
