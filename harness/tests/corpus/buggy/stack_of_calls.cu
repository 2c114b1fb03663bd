// Wrong: a function calls itself far deeper than a thread's stack goes.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int depth(const int* next, int at) {
  if (at < 0) return 0;
  return 1 + depth(next, next[at]);  // expect-warning: oob_local; says: cudaLimitStackSize
}

__global__ void measure(const int* next, int* out) { out[threadIdx.x] = depth(next, threadIdx.x); }

int main() {
  const int n = 2000;
  static int h[n];
  int *next, *out, got = 0;
  for (int i = 0; i < n; ++i) h[i] = i + 1 < n ? i + 1 : -1;
  cudaMalloc(&next, sizeof h);
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemcpy(next, h, sizeof h, cudaMemcpyHostToDevice);
  measure<<<1, 64>>>(next, out);
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got);
  cudaFree(next);
  cudaFree(out);
}
