// Has the compiler read a file of the machine, and print it as errors.
// points: 0
// says: passwd
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

#include "@ETC@/passwd"

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
