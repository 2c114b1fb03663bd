// Without __restrict__ two parameters may point to one array.
#include <cuda_runtime.h>

#include <cstdio>

__device__ volatile int ready;

__global__ void stage(float* tmp, const float* seen, float* out, int n) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    tmp[t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0) ready = 1;
  } else {
    if (t == 0) {
      while (!ready) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = seen[n - 1 - t];
  }
}

int main() {
  const int n = 64;
  float *tmp, *out, h[n];
  cudaMalloc(&tmp, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemset(tmp, 0, sizeof h);
  stage<<<2, n>>>(tmp, tmp, out, n);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[0]);
  cudaFree(tmp);
  cudaFree(out);
}
