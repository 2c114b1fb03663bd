// Blocks of one matrix, whose columns lie between each other's, halves of an array, and a sum in place.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main() {
  constexpr int kRows = 32, kHalf = kRows / 2, kElements = kRows * kRows;
  std::vector<float> host(kElements, 1.0f);
  float* a;
  cudaMalloc(&a, kElements * sizeof(float));
  cudaMemcpy(a, host.data(), kElements * sizeof(float), cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1.0f, minus = -1.0f;
  const cublasOperation_t as_is = CUBLAS_OP_N;
  // The lower right block less the product of its neighbours, as a factorisation has it.
  float *const left = a + kHalf, *const above = a + kHalf * kRows, *const block = above + kHalf;
  cublasSgemm(handle, as_is, as_is, kHalf, kHalf, kHalf, &minus, left, kRows, above, kRows, &one, block,
              kRows);
  cublasSaxpy(handle, kHalf, &one, a, 1, a, 1);
  std::size_t bytes = 0;
  void* room = nullptr;
  cub::DeviceRadixSort::SortKeys(room, bytes, a, a + kElements / 2, kElements / 2);
  cudaMalloc(&room, bytes);
  cub::DeviceRadixSort::SortKeys(room, bytes, a, a + kElements / 2, kElements / 2);
  cudaMemcpy(host.data(), a, kElements * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[0], host[kElements - 1]);
  cublasDestroy(handle);
  cudaFree(room), cudaFree(a);
}
