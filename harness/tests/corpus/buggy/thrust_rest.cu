// Wrong: algorithms that move what stays to the front leave the vector as long as it was.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/unique.h>

#include <cstdio>

struct Odd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};

int main() {
  thrust::device_vector<int> values(100);
  thrust::device_vector<float> keys(100);
  thrust::sequence(values.begin(), values.end());
  thrust::remove_if(values.begin(), values.end(), Odd());
  const auto first = values.begin(), last = values.end();
  const int sum = thrust::reduce(first, last);  // expect: uninit_global; says: erase the rest
  for (int i = 0; i < 100; ++i) keys[i] = static_cast<float>(i / 4);
  thrust::unique_by_key(keys.begin(), keys.end(), values.begin());
  const float all =
      thrust::reduce(keys.begin(), keys.end());  // expect: uninit_global; says: thrust::unique_by_key
  std::printf("%d %d\n", sum > 0, all > 0);
}
