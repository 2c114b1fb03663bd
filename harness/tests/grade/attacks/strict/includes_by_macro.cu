// The name of a header as a macro.
// points: 0
// says: an #include names its header
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;
#define HEADER </etc/passwd>
#include HEADER

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
