// Wrong: what a const __restrict__ parameter points to is written by the same launch, under another name.
#include <cuda_runtime.h>

#include <cstdio>

__device__ volatile int ready;

__global__ void stage(float* __restrict__ tmp, const float* __restrict__ seen, float* out, int n) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    tmp[t] = t;  // expect-other: race_global
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
    out[t] = seen[n - 1 - t];  // expect: race_global; says: its parameter seen
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
