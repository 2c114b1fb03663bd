// A declaration in a comment, behind a carriage return, where g++ begins a line.
// points: 0
// says: line 7: a carriage return stands within a line
#include <cuda_runtime.h>
// clang-format off
constexpr int kBlockSize = 64;
// nothing to see @CR@extern "C" int getpid();

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
