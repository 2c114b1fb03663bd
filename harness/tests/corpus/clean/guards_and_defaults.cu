// What programs expect of nvcc: macros that say who compiles, kernels with default arguments, a host function
// of the same name, and a launch that a formatter has pulled apart.
#include <cuda_runtime.h>
#include <driver_types.h>

#include <cstdio>
#include <vector>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || CUDART_VERSION < 11000 || \
    !defined(__CUDACC__)
#error "this is no CUDA compiler"
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double value);
#endif

__host__ __device__ inline const char* side() {
#ifdef __CUDA_ARCH__
  return "device";
#else
  return "host";
#endif
}

__global__ void fill(float* x, int n, float value = 3.0f) {
#if __CUDA_ARCH__ >= 700
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
#endif
}

__global__ void scale(float* x, int n) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 800)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
#else
  (void)x, (void)n;
#endif
}

void scale(std::vector<float>& x) {
  for (float& v : x) v *= 2.0f;
}

int main() {
  const int n = 100;
  float* d_x;
  std::vector<float> x(n, 3.0f), got(n);
  cudaMalloc((void**)&d_x, n * sizeof(float));
  fill<<<1, 128>>>(d_x, n);
  // clang-format off
  scale<< <1, 128>> >(d_x, n);
  // clang-format on
  scale(x);
  cudaMemcpy(got.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g on the %s\n", got[7], side());
  cudaFree(d_x);
  return got != x;
}
