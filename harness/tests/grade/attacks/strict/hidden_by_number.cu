// A declaration behind a quote that is part of a number.
// points: 0
// says: line 8: 'extern' declares what is elsewhere
#include <cuda_runtime.h>
// clang-format off
constexpr int kBlockSize = 64;
#define EAT(x)
EAT(1'a'0) extern "C" int getpid();

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
