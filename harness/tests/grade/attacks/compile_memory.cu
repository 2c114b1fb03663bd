// A compile that needs 20 GB.
// points: 0
// says: limit|error
#include <cuda_runtime.h>

constexpr int kBlockSize = 64;

template <unsigned long long N>
struct Big {
  static constexpr char data[1 << 26] = {1};
  static constexpr unsigned long long sum = data[N] + Big<N - 1>::sum;
};
template <>
struct Big<0> {
  static constexpr unsigned long long sum = 0;
};
char in_the_object[200'000'000] = {1};
static_assert(Big<300>::sum == 7);

__global__ void map_kernel(float* out, const float* a, int size) {
  // FILL ME IN: map (roughly 2 lines)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = a[i] + 10.0f;
  // END: map
}
