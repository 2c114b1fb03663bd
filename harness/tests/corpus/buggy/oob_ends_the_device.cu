// Wrong: an index in bytes, scaled twice, lands where nothing is mapped. A GPU ends the program's use of it
// there; the second mistake, in a launch that it would then refuse, is found all the same.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scatter(float* y, const int* at, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[at[i] * sizeof(float) * 4096] = 1.0f;  // expect: oob_global
}

__global__ void square(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = static_cast<float>(i) * i;  // expect: oob_global
  if (i == 0) std::printf("not to be seen\n");
}

int main() {
  constexpr int n = 255;
  int h_at[n];
  for (int i = 0; i < n; ++i) h_at[i] = (i + 1) * 4096;
  float *d_y, h_y = -1.0f;
  int* d_at;
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMalloc(&d_at, sizeof h_at);
  cudaMemcpy(d_at, h_at, sizeof h_at, cudaMemcpyHostToDevice);
  scatter<<<1, 256>>>(d_y, d_at, n);
  const cudaError_t after = cudaDeviceSynchronize();
  square<<<1, 256>>>(d_y, n);
  const cudaError_t launch = cudaGetLastError();
  const cudaError_t copy = cudaMemcpy(&h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
  std::printf("%s, %s, %s: %g\n", cudaGetErrorName(after), cudaGetErrorName(launch), cudaGetErrorName(copy),
              h_y);
  cudaFree(d_y);
  cudaFree(d_at);
  const bool as_on_a_gpu =
      after == cudaErrorIllegalAddress && launch == after && copy == after && h_y == -1.0f;
  return as_on_a_gpu ? 0 : 99;
}
