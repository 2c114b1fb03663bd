// Wrong: a mask of 64 bits is made from an int, which has no bit 32.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void mark(const unsigned char* used, unsigned long long* mask) {
  const unsigned slot = threadIdx.x;
  if (used[slot]) atomicOr(mask, 1 << slot);  // expect-warning: bad_api_call
}

int main() {
  unsigned char h[64], *used;
  unsigned long long *mask, got = 0;
  for (int i = 0; i < 64; ++i) h[i] = i % 5 == 0;
  cudaMalloc(&used, sizeof h);
  cudaMalloc(&mask, sizeof got);
  cudaMemcpy(used, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(mask, 0, sizeof got);
  mark<<<1, 64>>>(used, mask);
  cudaMemcpy(&got, mask, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%llx\n", got);
  cudaFree(used);
  cudaFree(mask);
}
