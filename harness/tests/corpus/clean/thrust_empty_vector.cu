// An algorithm stores to as many elements as there are.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform.h>
#include <cstdio>
int main() {
  thrust::device_vector<float> a(64, 1), b(64, 2), c;
  c.resize(64);
  thrust::transform(a.begin(), a.end(), b.begin(), c.begin(), thrust::plus<float>());
  printf("%d\n", (int)c.size());
}
