// Wrong: alpha lies on the device, and nothing has written it when the vector is scaled.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  const int n = 64;
  float *x, *alpha;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&alpha, sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSscal(handle, n, alpha, x, 1);  // expect: uninit_global
  const float half = 0.5f;
  cudaMemcpy(alpha, &half, sizeof half, cudaMemcpyHostToDevice);
  cublasSscal(handle, n, alpha, x, 1);
  float first = 0;
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("first %g\n", first);
  cublasDestroy(handle);
  cudaFree(x), cudaFree(alpha);
}
