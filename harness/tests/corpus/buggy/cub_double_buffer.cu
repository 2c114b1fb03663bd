// Wrong: sorted keys are looked for in one of the two arrays, whichever holds them.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <cstdio>

int main() {
  const int n = 5000;
  static unsigned h[n];
  for (int i = 0; i < n; i++) h[i] = (i * 7919u) % 10007u;
  unsigned *a, *b;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
  cub::DoubleBuffer<unsigned> keys(a, b);
  void* temp = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n);
  cudaMalloc(&temp, bytes);
  cub::DeviceRadixSort::SortKeys(temp, bytes, keys, n);
  cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost);  // expect: uninit_global; says: Current()
  bool sorted = true;
  for (int i = 1; i < n; i++) sorted = sorted && h[i - 1] <= h[i];
  std::printf("%s\n", sorted ? "sorted" : "not sorted");
  cudaFree(temp);
  cudaFree(a);
  cudaFree(b);
}
