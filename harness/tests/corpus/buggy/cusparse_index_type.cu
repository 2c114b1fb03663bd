// Wrong: indices of 64 bits are announced, and the arrays hold int.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>

int main() {
  constexpr int kRows = 16;
  int *offsets, *columns;
  float* values;
  cudaMalloc(&offsets, (kRows + 1) * sizeof(int));
  cudaMalloc(&columns, kRows * sizeof(int));
  cudaMalloc(&values, kRows * sizeof(float));
  cusparseSpMatDescr_t matrix;
  const cusparseIndexType_t wide = CUSPARSE_INDEX_64I;
  const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
  const auto create = cusparseCreateCsr;
  const cusparseStatus_t status =
      create(&matrix, kRows, kRows, kRows, offsets, columns, values, wide, wide, zero, CUDA_R_32F);
  std::printf("%d\n", status == CUSPARSE_STATUS_NOT_SUPPORTED && matrix == nullptr);
  // clang-format off
  cusparseCreateCsr(&matrix, kRows, kRows, kRows, offsets, columns, values, wide, wide, zero, CUDA_R_32F);  // expect: bad_api_call; says: takes two of them for one index
  // clang-format on
  cudaFree(offsets), cudaFree(columns), cudaFree(values);
}
