// Wrong: factors and a result lie on the side that the handle's pointer mode does not mean.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>

__device__ float d_two = 2.0f;

int main() {
  const int n = 64;
  float ones[n], *x, *y, *factor, result = -1, two = 2;
  for (float& v : ones) v = 1;
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&y, sizeof ones);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(y, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaGetSymbolAddress(reinterpret_cast<void**>(&factor), d_two);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasStatus_t s = cublasSaxpy(handle, n, factor, x, 1, y, 1);  // expect: host_deref
  std::printf("%d\n", s);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  s = cublasSdot(handle, n, x, 1, y, 1, &result);  // expect: host_deref
  std::printf("%d\n", s);
  s = cublasSscal(handle, n, &two, x, 1);  // expect: host_deref
  std::printf("%d %g\n", s, result);
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(y);
}
