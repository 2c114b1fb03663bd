// Wrong: three warps leave their sums in the table, the last step reads 32 slots.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void sum(float* result, const float* x) {
  __shared__ float partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float mine = warp_sum(x[threadIdx.x]);
  if (lane == 0) partial[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const float total = warp_sum(partial[lane]);  // expect: uninit_shared
    if (lane == 0) *result = total;
  }
}

int main() {
  const int n = 96;
  std::vector<float> x(n, 1.0f);
  float *d_x, *d_result, result = 0.0f;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, n>>>(d_result, d_x);
  cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("sum %g, should be %d\n", result, n);
  cudaFree(d_x);
  cudaFree(d_result);
}
