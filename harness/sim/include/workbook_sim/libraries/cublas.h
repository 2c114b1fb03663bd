// cuBLAS, computed by the machine's BLAS; each call is counted as one launch. Matrices are column-major.
//
// Arithmetic: float and double products are the BLAS's own. half and bfloat16 are multiplied and summed in
// float and rounded once at the end, also with CUBLAS_COMPUTE_16F; TF32 rounds the inputs to 10 bits of
// mantissa; 8 bit integers are exact. Memory is checked as a kernel's would be: out of bounds and
// uninitialised elements are findings at the line of the call.
#pragma once

#define CUBLAS_API_H_  // what NVIDIA's header defines, and programs look for

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../two_spaces.h"
#include "blas_types.h"

struct cublasContext;
using cublasHandle_t = cublasContext*;

enum cublasFillMode_t : int {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
};
enum cublasDiagType_t : int { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t : int { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasAtomicsMode_t : int { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t : int {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasGemmAlgo_t : int {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
};

extern "C" {
/// CUBLAS_STATUS_NOT_INITIALIZED where no BLAS is installed; standard error then says what to do.
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// CUBLAS_TF32_TENSOR_OP_MATH (and CUBLAS_TENSOR_OP_MATH) lets float products use TF32.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
/// The workspace must be device memory; it is not used.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes);

cublasStatus_t cublasSetVector(int n, int element_bytes, const void* x, int incx, void* device, int incy);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void* device, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int element_bytes, const void* a, int lda, void* device,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int element_bytes, const void* device, int lda, void* b,
                               int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void* x, int incx, void* device, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void* device, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int element_bytes, const void* a, int lda,
                                    void* device, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int element_bytes, const void* device, int lda,
                                    void* b, int ldb, cudaStream_t stream);

// Both precisions of one routine: S for float, D for double.
#define WORKBOOK_CUBLAS_REAL(P, I, T)                                                                       \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,     \
                                 int m, int n, int k, const T* alpha, const T* a, int lda, const T* b,      \
                                 int ldb, const T* beta, T* c, int ldc);                                    \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,           \
      const T* alpha, const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b,     \
      const T* beta, T* c, int ldc, long long stride_c, int count);                                         \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t op_a,                      \
                                        cublasOperation_t op_b, int m, int n, int k, const T* alpha,        \
                                        const T* const a[], int lda, const T* const b[], int ldb,           \
                                        const T* beta, T* const c[], int ldc, int count);                   \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha, \
                                 const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy); \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,  \
                                const T* y, int incy, T* a, int lda);                                       \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,     \
                                 int m, int n, const T* alpha, const T* a, int lda, const T* beta,          \
                                 const T* b, int ldb, T* c, int ldc);                                       \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,    \
                                 int lda, const T* x, int incx, T* c, int ldc);                             \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,  \
                                 int incy);                                                                 \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);             \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);       \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);             \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,   \
                                T* result);                                                                 \
  cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result);            \
  cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result);            \
  cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result);         \
  cublasStatus_t cublasI##I##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result);
WORKBOOK_CUBLAS_REAL(S, s, float)
WORKBOOK_CUBLAS_REAL(D, d, double)
#undef WORKBOOK_CUBLAS_REAL

// LU factors of many matrices, lists of whose places lie in device memory. Pivots are counted from 1, n a
// matrix, or null: rows stay. info: 0, or the first pivot that is 0, from 1; of getrs, on the host, minus the
// argument that is wrong.
#define WORKBOOK_CUBLAS_FACTOR(P, T)                                                                       \
  cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda, int* pivots, \
                                         int* info, int count);                                            \
  cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns,  \
                                         const T* const a[], int lda, const int* pivots, T* const b[],     \
                                         int ldb, int* info, int count);                                   \
  cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda,        \
                                         const int* pivots, T* const c[], int ldc, int* info, int count);  \
  cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,            \
                                 const T* alpha, const T* a, int lda, T* b, int ldb);
WORKBOOK_CUBLAS_FACTOR(S, float)
WORKBOOK_CUBLAS_FACTOR(D, double)
#undef WORKBOOK_CUBLAS_FACTOR

// Of complex numbers. gemv: vectors without strides, others CUBLAS_STATUS_NOT_SUPPORTED.
#define WORKBOOK_CUBLAS_COMPLEX(P, RP, C, R)                                                                \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,     \
                                 int m, int n, int k, const C* alpha, const C* a, int lda, const C* b,      \
                                 int ldb, const C* beta, C* c, int ldc);                                    \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,           \
      const C* alpha, const C* a, int lda, long long stride_a, const C* b, int ldb, long long stride_b,     \
      const C* beta, C* c, int ldc, long long stride_c, int count);                                         \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const C* alpha, \
                                 const C* a, int lda, const C* x, int incx, const C* beta, C* y, int incy); \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const C* alpha, const C* x, int incx, C* y,  \
                                 int incy);                                                                 \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const C* alpha, C* x, int incx);             \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const C* x, int incx, C* y, int incy);       \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, C* x, int incx, C* y, int incy);             \
  cublasStatus_t cublas##P##dotu(cublasHandle_t handle, int n, const C* x, int incx, const C* y, int incy,  \
                                 C* result);                                                                \
  cublasStatus_t cublas##P##dotc(cublasHandle_t handle, int n, const C* x, int incx, const C* y, int incy,  \
                                 C* result);                                                                \
  cublasStatus_t cublas##RP##nrm2(cublasHandle_t handle, int n, const C* x, int incx, R* result);           \
  cublasStatus_t cublas##RP##asum(cublasHandle_t handle, int n, const C* x, int incx, R* result);
WORKBOOK_CUBLAS_COMPLEX(C, Sc, cuComplex, float)
WORKBOOK_CUBLAS_COMPLEX(Z, Dz, cuDoubleComplex, double)
#undef WORKBOOK_CUBLAS_COMPLEX
cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int incx);
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int incx);

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k, const __half* alpha,
                                         const __half* a, int lda, long long stride_a, const __half* b,
                                         int ldb, long long stride_b, const __half* beta, __half* c, int ldc,
                                         long long stride_c, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                  int m, int n, int k, const __half* alpha, const __half* const a[], int lda,
                                  const __half* const b[], int ldb, const __half* beta, __half* const c[],
                                  int ldc, int count);
/// alpha and beta are of the compute type's precision. Types that do not go together, as on a GPU:
/// CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, long long stride_a,
                                          const void* b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                   int m, int n, int k, const void* alpha, const void* const a[],
                                   cudaDataType type_a, int lda, const void* const b[], cudaDataType type_b,
                                   int ldb, const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                             int n, int k, const float* alpha, const void* a, cudaDataType type_a, int lda,
                             const void* b, cudaDataType type_b, int ldb, const float* beta, void* c,
                             cudaDataType type_c, int ldc);
}

// The compute type as it was before CUDA 11: the type of the sums.
namespace workbook::sim {
constexpr cublasComputeType_t compute_type_of(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
inline void operator,(cublasStatus_t status, const Dropped& at) {
  if (status != CUBLAS_STATUS_SUCCESS)
    workbook_sim_dropped(at.call, "cublas", status, cublasGetStatusName(status), at.file, at.line);
}
}  // namespace workbook::sim
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                   int m, int n, int k, const void* alpha, const void* a, cudaDataType type_a,
                                   int lda, const void* b, cudaDataType type_b, int ldb, const void* beta,
                                   void* c, cudaDataType type_c, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                      ldc, workbook::sim::compute_type_of(compute), algorithm);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a, const void* b,
    cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
    long long stride_c, int count, cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b,
                                    ldb, stride_b, beta, c, type_c, ldc, stride_c, count,
                                    workbook::sim::compute_type_of(compute), algorithm);
}
