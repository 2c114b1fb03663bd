// Wrong: a kernel is given a lambda without __device__.
#include <cuda_runtime.h>

#include <cstdio>

template <typename F>
__global__ void fill(float* x, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = f(i);
}

template <typename F>
void fill_all(float* x, int n, F f) {
  fill<<<(n + 127) / 128, 128>>>(x, n, f);
}

int main() {
  const int n = 200;
  float *d, h[n], step = 0.5f;
  cudaMalloc(&d, sizeof h);
  fill_all(d, n, [step](int i) { return step * i; });  // expect: host_deref; says: __device__
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g\n", h[n - 1]);
  cudaFree(d);
}
