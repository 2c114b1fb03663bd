// Wrong: nobody catches what a vector throws that the device has no room for.
#include <thrust/device_vector.h>

#include <cstdio>

int main() {
  std::printf("begin\n");
  thrust::device_vector<int> all(size_t{1} << 42);  // expect: bad_api_call
  std::printf("%zu\n", all.size());
}
