// Wrong: algorithms of Thrust's that are given elements which depend on each other.
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>

#include <cstdio>
#include <vector>

struct Count {
  int* bins;
  __device__ void operator()(int value) const {
    ++bins[value % 4];  // expect: race_global; says: atomicAdd()
  }
};

int main() {
  constexpr int kElements = 600;
  std::vector<int> map(kElements);
  for (int i = 0; i < kElements; ++i) map[i] = (i * 6) % kElements;
  thrust::device_vector<int> values(kElements, 1), out(kElements, -1), where(map.begin(), map.end()), bins(4);
  const thrust::plus<int> plus;
  const auto first = values.begin(), last = values.end();
  // clang-format off
  thrust::transform(first, last - 1, first + 1, first + 1, plus);  // expect: race_global; says: range of its own
  // clang-format on
  thrust::scatter(first, last, where.begin(), out.begin());  // expect: race_global; says: place twice
  thrust::for_each(where.begin(), where.end(), Count{bins.data().get()});
  std::printf("%d %d %d\n", values[kElements - 1] > 0, out[0] >= 0, bins[0] > 0);
}
