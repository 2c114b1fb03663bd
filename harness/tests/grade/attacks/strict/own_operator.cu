// An operator new of its own, which the simulator would call.
// points: 0
// says: it defines '_Znwm'
#include <cuda_runtime.h>
#include <cstddef>

constexpr int kBlockSize = 64;

void* operator new(std::size_t) { return nullptr; }

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
