// Algorithms of Thrust's whose elements depend on no other, in place, through a map and with atomics.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>

#include <cstdio>
#include <vector>

struct Count {
  int* bins;
  __device__ void operator()(int value) const { atomicAdd(&bins[value % 4], 1); }
};
struct Twice {
  __host__ __device__ int operator()(int value) const { return 2 * value; }
};

int main() {
  constexpr int kElements = 600;
  std::vector<int> map(kElements);
  for (int i = 0; i < kElements; ++i) map[i] = (i * 7) % kElements;
  thrust::device_vector<int> values(kElements, 1), out(kElements, -1), where(map.begin(), map.end()), bins(4);
  const auto first = values.begin(), last = values.end();
  thrust::transform(first, last - 1, first + 1, out.begin() + 1, thrust::plus<int>());
  thrust::transform(first, last, first, first, thrust::plus<int>());
  thrust::scatter(first, last, where.begin(), out.begin());
  thrust::gather(where.begin(), where.end(), out.begin(), first);
  thrust::for_each(where.begin(), where.end(), Count{bins.data().get()});
  const thrust::counting_iterator<int> numbers(0);
  thrust::copy(numbers, numbers + kElements, thrust::make_transform_output_iterator(out.begin(), Twice()));
  const int sum = values[kElements - 1] + out[30] + bins[0];
  std::printf("%d\n", sum);
  return sum == 2 + 60 + 150 ? 0 : 3;
}
