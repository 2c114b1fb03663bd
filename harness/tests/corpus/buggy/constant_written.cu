// Wrong: a kernel writes into constant memory.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float weight[32];
__device__ float share[32];

__global__ void normalise(float total) {
  float* const w = const_cast<float*>(weight);
  w[threadIdx.x] = weight[threadIdx.x] / total;  // expect: bad_api_call
}

int main() {
  float h[32];
  for (float& x : h) x = 2;
  cudaMemcpyToSymbol(weight, h, sizeof h);
  normalise<<<1, 32>>>(64);
  cudaMemcpyFromSymbol(h, weight, sizeof h);
  std::printf("%g\n", h[3]);
}
