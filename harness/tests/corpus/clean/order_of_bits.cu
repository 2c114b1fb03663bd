// The greatest of numbers by their bits, on both sides of 0.
#include <cuda_runtime.h>
#include <cstdio>
__device__ float atomicMaxFloat(float* p, float v) {
  return v >= 0 ? __int_as_float(atomicMax((int*)p, __float_as_int(v)))
                : __uint_as_float(atomicMin((unsigned*)p, __float_as_uint(v)));
}
__global__ void maximum(const float* x, float* m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMaxFloat(m, x[i]);
}
int main() {
  float h[64], *x, *m, low = -1e30f, r;
  for (int i = 0; i < 64; ++i) h[i] = -1.0f - i;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&m, 4);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(m, &low, 4, cudaMemcpyHostToDevice);
  maximum<<<1, 64>>>(x, m, 64);
  cudaMemcpy(&r, m, 4, cudaMemcpyDeviceToHost);
  printf("%g\n", r);
  cudaFree(x);
  cudaFree(m);
}
