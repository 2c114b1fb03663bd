// Wrong: a launch may have 48 KiB of dynamic shared memory unless cudaFuncSetAttribute allows more. It fails,
// and the result that the second kernel reads was never stored.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void reverse(float* out, const float* in, int n) {
  extern __shared__ float cache[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) cache[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = cache[n - 1 - i];
}

__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;  // expect: uninit_global
}

int main() {
  const int n = 16000;
  std::vector<float> x(n, 1.5f), y(n);
  float *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  reverse<<<1, 256, n * sizeof(float)>>>(d_y, d_x, n);  // expect: bad_launch
  twice<<<(n + 255) / 256, 256>>>(d_y, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g, should be 3\n", y[0]);
  cudaFree(d_x);
  cudaFree(d_y);
}
