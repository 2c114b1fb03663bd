// Right: an array of the stack takes what is copied, where an earlier call left a pointer to as many bytes.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>

__global__ void fill(float* y) { y[threadIdx.x] = static_cast<float>(threadIdx.x); }

int main() {
  float* y;
  cudaMalloc(&y, 64 * sizeof(float));
  fill<<<1, 64>>>(y);
  float got[64];
  std::memcpy(got, &y, sizeof y);  // as an earlier frame may leave it
  cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%g\n", static_cast<double>(got[5]));
  cudaFree(y);
}
