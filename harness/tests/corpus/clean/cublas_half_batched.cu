// Products of halves, whose matrices a list in device memory names.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  constexpr int kSize = 16, kCount = 3, kElements = kSize * kSize;
  __half ones[kElements], *a, *c, *lists[2][kCount], **where;
  for (__half& one : ones) one = __float2half(1);
  cudaMalloc(&a, sizeof ones);
  cudaMalloc(&c, kCount * sizeof ones);
  cudaMalloc(&where, sizeof lists);
  cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice);
  for (int i = 0; i < kCount; ++i) lists[0][i] = a, lists[1][i] = c + i * kElements;
  cudaMemcpy(where, lists, sizeof lists, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const __half one = __float2half(1), zero = __float2half(0);
  const cublasStatus_t status =
      cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one, where, kSize, where,
                         kSize, &zero, where + kCount, kSize, kCount);
  cudaMemcpy(ones, c + 2 * kElements, sizeof ones, cudaMemcpyDeviceToHost);
  const bool right = status == CUBLAS_STATUS_SUCCESS && __half2float(ones[5]) == kSize;
  std::printf("%s\n", right ? "right" : "wrong");
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(c);
  cudaFree(where);
  return right ? 0 : 1;
}
