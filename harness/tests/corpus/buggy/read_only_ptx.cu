// Wrong: ld.global.nc reads what the same launch writes.
#include <cuda_runtime.h>

#include <cstdio>

__device__ float load_nc(const float* p) {
  float v;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));  // expect: race_global; says: ld.global.nc
  return v;
}

__global__ void smooth(float* x, float* y, int n) {
  const int t = threadIdx.x;
  x[t] = t * t;  // expect-other: race_global
  __syncthreads();
  y[t] = x[t] + load_nc(&x[(t + 1) % n]);
}

int main() {
  const int n = 64;
  float *x, *y, h[n];
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&y, sizeof h);
  cudaMemset(x, 0, sizeof h);
  smooth<<<1, n>>>(x, y, n);
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[2]);
  cudaFree(x);
  cudaFree(y);
}
