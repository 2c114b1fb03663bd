// Wrong: the block could not be grown, and the copy takes it for larger than it is.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

__global__ void fill(float* x) { x[blockIdx.x * 64 + threadIdx.x] = 1.0f; }

int main() {
  const int n = 640;
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  fill<<<10, 64>>>(d);
  float* const h = static_cast<float*>(malloc(n / 10 * sizeof(float)));
  const size_t wanted = static_cast<size_t>(d == nullptr ? n : INTPTR_MAX);  // more than there ever is
  if (realloc(h, wanted) != nullptr) return 2;
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: oob_global
  printf("%g\n", h[0]);
  free(h);
  cudaFree(d);
}
