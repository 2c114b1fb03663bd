// What algorithms have left behind the end that they return is erased, overwritten, or copied and not used.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/unique.h>

#include <cstdio>

struct Odd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};

int main() {
  thrust::device_vector<int> values(100), keys(100), counted(100);
  thrust::sequence(values.begin(), values.end());
  const auto end = thrust::remove_if(values.begin(), values.end(), Odd());
  const int sum = thrust::reduce(values.begin(), end);
  const thrust::host_vector<int> all = values;
  const int last = all[end - values.begin() - 1];
  thrust::fill(end, values.end(), 1);
  const int filled = thrust::reduce(values.begin(), values.end());
  for (int i = 0; i < 100; ++i) keys[i] = i / 4;
  const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), values.begin());
  keys.erase(ends.first, keys.end());
  values.erase(ends.second, values.end());
  values.resize(50);
  const int most = thrust::reduce(keys.begin(), keys.end()) + thrust::reduce(values.begin(), values.end());
  std::printf("%d %d %d %d\n", sum, last, filled, most);
}
