// A kernel reads the pairs in the arrays that the DoubleBuffers say.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

#include <cstdio>

__global__ void gather(const unsigned* keys, const int* index, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = index[i] + (int)keys[i];
}

int main() {
  const int n = 500;
  static unsigned h[n];
  static int hi[n];
  for (int i = 0; i < n; i++) h[i] = (i * 7919u) % 10007u, hi[i] = i;
  unsigned *a, *b;
  int *ia, *ib, *out;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMalloc(&ia, n * 4);
  cudaMalloc(&ib, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMemcpy(a, h, n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(ia, hi, n * 4, cudaMemcpyHostToDevice);
  cub::DoubleBuffer<unsigned> keys(a, b);
  cub::DoubleBuffer<int> index(ia, ib);
  void* temp = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(temp, bytes, keys, index, n);
  cudaMalloc(&temp, bytes);
  for (int turn = 0; turn < 2; ++turn) {
    cub::DeviceRadixSort::SortPairs(temp, bytes, keys, index, n);
    gather<<<(n + 127) / 128, 128>>>(keys.Current(), index.Current(), out, n);
  }
  cudaMemcpy(hi, out, n * 4, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", hi[0], hi[n - 1]);
  cudaFree(temp);
  cudaFree(a);
  cudaFree(b);
  cudaFree(ia);
  cudaFree(ib);
  cudaFree(out);
}
