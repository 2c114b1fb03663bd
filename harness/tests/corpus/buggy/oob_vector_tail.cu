// Wrong: 4 elements at a time, rounded up: the last thread's float4 ends two elements past the vector.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void negate(float* x, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float4 v = *reinterpret_cast<float4*>(x + i);  // expect: oob_global
  v = make_float4(-v.x, -v.y, -v.z, -v.w);
  *reinterpret_cast<float4*>(x + i) = v;  // expect: oob_global
}

int main() {
  const int n = 1022;
  std::vector<float> x(n, 2.0f);
  float* d_x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  negate<<<2, 128>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[%d] = %g\n", n - 1, x[n - 1]);
  cudaFree(d_x);
}
