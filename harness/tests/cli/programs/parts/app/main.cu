// Several files: a header beside it, one by "..", one by -I, one by a computed name; kernels and host code of
// other sources.
#include <offset.cuh>
#include "../common/scale.cuh"
#include "sub/../local.h"
#include SETTINGS

#include <cstdio>

void launch_shift(int* values, int n);
int host_sum(const int* values, int n);

int main() {
  int values[kCount] = {}, *device = nullptr;
  for (int i = 0; i < kCount; ++i) values[i] = i;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  scale<<<1, kCount>>>(device, FACTOR);
  add_offset<kOffset><<<1, kCount>>>(device);
  launch_shift(device, kCount);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d\n", host_sum(values, kCount));
}
