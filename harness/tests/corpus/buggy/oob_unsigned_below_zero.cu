// Wrong: an unsigned counts down to 0 and goes on; its test for >= 0 always holds.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void suffix_sums(const int* x, int* out, unsigned n) {
  int sum = 0;
  for (unsigned i = n - 1; i >= 0; --i) {
    sum +=
        x[i];  // expect: oob_global; says: would be element 4294967295 of x: an unsigned that went 1 below 0
    out[i] = sum;
  }
}

int main() {
  const int n = 64;
  int h[n], *x, *out;
  for (int i = 0; i < n; ++i) h[i] = 1;
  cudaMalloc(&x, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  suffix_sums<<<1, 1>>>(x, out, n);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
