// Shuffles within segments of 16 lanes under the full mask: a segment never sees its neighbour.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scan_16(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 16;
  int value = i < n ? x[i] : 0;  // lanes past the end take part, and bring nothing
  for (int offset = 1; offset < 16; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, offset, 16);
    if (lane >= offset) value += left;
  }
  if (i < n) x[i] = value;
}

int main() {
  const int n = 75;
  std::vector<int> x(n, 1);
  int* d_x;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_16<<<3, 32>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += x[i] != i % 16 + 1;
  std::printf("%d wrong\n", wrong);
  cudaFree(d_x);
  return wrong != 0;
}
