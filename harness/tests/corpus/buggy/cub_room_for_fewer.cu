// Wrong: room for a sort that was asked for fewer elements: the line is the program's.
#include <cuda_runtime.h>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main() {
  const int n = 20000;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919) % n;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(room, bytes, in, out, 100);
  cudaMalloc(&room, bytes);
  cub::DeviceRadixSort::SortKeys(room, bytes, in, out, n);  // expect: oob_global
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(room);
  cudaFree(in);
  cudaFree(out);
}
