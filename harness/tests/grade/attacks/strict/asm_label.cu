// A function under another one's name.
// points: 0
// says: line 7: assembly of the host
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;
static int other() asm("getpid");

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
