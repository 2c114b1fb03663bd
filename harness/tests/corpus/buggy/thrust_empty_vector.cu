// Wrong: an algorithm stores to a vector without elements.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform.h>
#include <cstdio>
int main() {
  thrust::device_vector<float> a(64, 1), b(64, 2), c;
  // clang-format off
  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), thrust::plus<float>());  // expect: oob_global; says: v.resize(n)
  // clang-format on
  printf("%d\n", (int)c.size());
}
