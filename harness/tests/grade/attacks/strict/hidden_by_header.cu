// A declaration in a comment that begins in a header's name.
// points: 0
// says: line 7: '__has_include' is the compiler's
#include <cuda_runtime.h>
// clang-format off
constexpr int kBlockSize = 64;
#if __has_include(<cuda/*>)
#endif
extern "C" int getpid();
// */

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
