// Indices of 32 bits are announced, as the arrays hold them.
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
  const cusparseIndexType_t narrow = CUSPARSE_INDEX_32I;
  const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
  const cusparseStatus_t status = cusparseCreateCsr(&matrix, kRows, kRows, kRows, offsets, columns, values,
                                                    narrow, narrow, zero, CUDA_R_32F);
  std::printf("%d\n", status == CUSPARSE_STATUS_SUCCESS);
  cusparseDestroySpMat(matrix);
  cudaFree(offsets), cudaFree(columns), cudaFree(values);
}
