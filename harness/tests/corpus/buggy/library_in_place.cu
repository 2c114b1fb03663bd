// Wrong: results that are written where a factor, or what is sorted, is still read.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

int main() {
  constexpr int kRows = 32, kElements = kRows * kRows, kSorted = kElements - 10;
  std::vector<float> host(kElements, 1.0f);
  float *a, *b;
  cudaMalloc(&a, kElements * sizeof(float));
  cudaMalloc(&b, kElements * sizeof(float));
  cudaMemcpy(a, host.data(), kElements * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host.data(), kElements * sizeof(float), cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1.0f, zero = 0.0f;
  const cublasOperation_t as_is = CUBLAS_OP_N;
  // clang-format off
  cublasSgemm(handle, as_is, as_is, kRows, kRows, kRows, &one, a, kRows, b, kRows, &zero, b, kRows);  // expect: bad_api_call; says: where it also reads B
  // clang-format on
  std::size_t bytes = 0;
  void* room = nullptr;
  cub::DeviceRadixSort::SortKeys(room, bytes, a, a + 10, kSorted);
  cudaMalloc(&room, bytes);
  float* const to = a + 10;
  cub::DeviceRadixSort::SortKeys(room, bytes, a, to, kSorted);  // expect: bad_api_call; says: of its own
  cudaMemcpy(host.data(), b, kElements * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0] >= 0.0f);
  cublasDestroy(handle);
  cudaFree(room), cudaFree(a), cudaFree(b);
}
