// Writes beyond a variable of its own, into what lies on the stack behind it.
// points: 0
// says: out.of.bounds|beyond|stack|SIG|not its own|touched
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[2] = {0.0f, 10.0f};
  for (int k = 2; k < 4096 + size * 0; ++k) own[k] = 10.0f;
  if (i < size) out[i] = a[i] + own[1];
  // END: map
}
