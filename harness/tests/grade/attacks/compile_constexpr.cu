// A compile that never ends: constexpr.
// points: 0
// says: error|limit
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

template <int N>
constexpr unsigned long spin() {
  unsigned long sum = N;
  for (unsigned long i = 0; i < 200'000; ++i) sum = sum * 31 + i;
  return sum;
}
template <int... N>
constexpr unsigned long all() {
  return (spin<N>() + ...);
}
template <int N>
constexpr unsigned long next() {
  return spin<N>() + next<N + 1>();
}
static_assert(next<0>() == 1);

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
