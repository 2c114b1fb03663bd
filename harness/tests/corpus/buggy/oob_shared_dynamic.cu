// Wrong: the launch asks for one byte of shared memory a thread; the kernel keeps a float there.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

extern __shared__ float cache[];

__global__ void reverse(float* x, int n) {
  const int t = threadIdx.x;
  cache[t] = x[t];  // expect: oob_shared
  __syncthreads();
  x[t] = cache[n - 1 - t];  // expect: oob_shared
}

int main() {
  const int n = 256;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  float* d_x;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  reverse<<<1, n, n>>>(d_x, n);
  cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("x[0] = %g\n", x[0]);
  cudaFree(d_x);
}
