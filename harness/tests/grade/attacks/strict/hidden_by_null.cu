// An #include behind a byte that the compiler passes over.
// points: 0
// says: line 7: <unistd.h> is no header
#include <cuda_runtime.h>
// clang-format off
constexpr int kBlockSize = 64;
@NUL@#include <unistd.h>

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
