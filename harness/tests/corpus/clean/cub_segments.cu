// Each segment has a begin and an end.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

using Reduce = cub::DeviceSegmentedReduce;

int main() {
  std::vector<int> starts = {0, 3, 7, 12, 20}, sums(5);
  const int values = 26, n = 5;
  starts.push_back(values);
  std::vector<int> h(values, 1);
  int *in, *offsets, *out;
  cudaMalloc(&in, values * sizeof(int));
  cudaMalloc(&offsets, starts.size() * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), values * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(offsets, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
  void* temp = nullptr;
  size_t bytes = 0;
  const int *from = offsets, *to = offsets + 1;
  Reduce::Sum(temp, bytes, in, out, n, from, to);
  cudaMalloc(&temp, bytes);
  Reduce::Sum(temp, bytes, in, out, n, from, to);
  cudaMemcpy(sums.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int s : sums) std::printf("%d ", s);
  std::printf("\n");
  cudaFree(temp);
  cudaFree(in);
  cudaFree(offsets);
  cudaFree(out);
}
