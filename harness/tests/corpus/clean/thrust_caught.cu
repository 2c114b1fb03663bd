// A program that asks for too much, catches what Thrust throws, and goes on with less.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/system_error.h>

#include <new>

int main() {
  bool refused = false;
  try {
    thrust::device_vector<int> all(size_t{1} << 42);
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  thrust::device_vector<int> some(100, 2);
  return refused && thrust::reduce(some.begin(), some.end()) == 200 ? 0 : 1;
}
