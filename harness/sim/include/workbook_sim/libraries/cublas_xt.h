// cuBLASXt: products of matrices that lie in host memory. A GPU would take them tile by tile; here the
// machine's BLAS computes them where they lie. Matrices in device memory go to cuBLAS; some there and some
// here are CUBLAS_STATUS_NOT_SUPPORTED.
#pragma once

#include "cublas.h"

struct cublasXtContext;
using cublasXtHandle_t = cublasXtContext*;
enum cublasXtPinnedMemMode_t : int { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 };

extern "C" {
cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
/// Of the one GPU that there is.
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtGetNumBoards(int count, int devices[], int* boards);
cublasStatus_t cublasXtMaxBoards(int* boards);
// Hints without effect.
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int extent);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* extent);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);

#define WORKBOOK_CUBLASXT(P, T)                                                                             \
  cublasStatus_t cublasXt##P##gemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                                   std::size_t m, std::size_t n, std::size_t k, const T* alpha, const T* a, \
                                   std::size_t lda, const T* b, std::size_t ldb, const T* beta, T* c,       \
                                   std::size_t ldc);
WORKBOOK_CUBLASXT(S, float)
WORKBOOK_CUBLASXT(D, double)
WORKBOOK_CUBLASXT(C, cuComplex)
WORKBOOK_CUBLASXT(Z, cuDoubleComplex)
#undef WORKBOOK_CUBLASXT
}
