// A declaration behind a raw text, in which lines are not joined.
// points: 0
// says: line 7: a raw text is nothing that kernels need
#include <cuda_runtime.h>
// clang-format off
constexpr int kBlockSize = 64;
const char* const text = R"x( )\
x" )x"; extern "C" int getpid();

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
