// A compile that never ends: templates.
// points: 0
// says: limit
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

template <unsigned long long N, unsigned long long M>
struct Tree {
  static constexpr unsigned long long value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value;
};
template <unsigned long long M>
struct Tree<0, M> {
  static constexpr unsigned long long value = M;
};
static_assert(Tree<40, 1>::value != 1);

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
