// Wrong: every thread reads its element, and only then asks whether there is one.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void add_ten(float* out, const float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i];  // expect: oob_global
  if (i < size) out[i] = x + 10.0f;
}

int main() {
  const int size = 200;
  std::vector<float> host(size, 1.0f);
  float *a, *out;
  cudaMalloc(&a, size * sizeof(float));
  cudaMalloc(&out, size * sizeof(float));
  cudaMemcpy(a, host.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  add_ten<<<4, 64>>>(out, a, size);
  cudaMemcpy(host.data(), out, size * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("out[199] = %g\n", host[199]);
  cudaFree(a);
  cudaFree(out);
  return 0;
}
