// Factors and results where the handle's pointer mode says; managed and pinned memory are right for both.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__device__ float d_two = 2.0f;

int main() {
  const int n = 64;
  float ones[n], *x, *y, *factor, *both, *pinned, result = -1, two = 2;
  for (float& v : ones) v = 1;
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&y, sizeof ones);
  cudaMallocManaged(&both, sizeof(float));
  cudaMallocHost(&pinned, sizeof(float));
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(y, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaGetSymbolAddress(reinterpret_cast<void**>(&factor), d_two);
  *both = *pinned = 1;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSaxpy(handle, n, &two, x, 1, y, 1);
  cublasSaxpy(handle, n, both, x, 1, y, 1);
  cublasSaxpy(handle, n, pinned, x, 1, y, 1);  // 5
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSscal(handle, n, factor, y, 1);  // 10
  cublasSaxpy(handle, n, both, x, 1, y, 1);
  cublasSdot(handle, n, x, 1, y, 1, both);
  cudaDeviceSynchronize();
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  cublasSdot(handle, n, x, 1, y, 1, &result);
  const bool right = result == 11.0f * n && *both == result;
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(y);
  cudaFree(both);
  cudaFreeHost(pinned);
  return right ? 0 : 1;
}
