// cuSPARSE: matrices in compressed rows and columns and as lists of coordinates, their products with vectors,
// matrices and each other, triangular solves, incomplete LU factors, and dense matrices made sparse and back.
// Each is counted as one launch, and its memory checked as a kernel's would be. What is not here, other
// formats among it, fails to compile.
#pragma once

#define CUSPARSEAPI  // what NVIDIA's header defines, and programs look for

#include <cuComplex.h>

#include <cstddef>
#include <cstdint>

#include "../two_spaces.h"
#include "blas_types.h"

enum cusparseStatus_t : int {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
};
enum cusparseOperation_t : int {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
};
enum cusparsePointerMode_t : int { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 };
enum cusparseIndexType_t : int { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseIndexBase_t : int { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 };
enum cusparseOrder_t : int { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseFormat_t : int { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 };
enum cusparseSpMVAlg_t : int {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
};
enum cusparseSpMMAlg_t : int {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
};
enum cusparseSpGEMMAlg_t : int {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
};
enum cusparseSpSVAlg_t : int { CUSPARSE_SPSV_ALG_DEFAULT = 0 };
enum cusparseSparseToDenseAlg_t : int { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 };
enum cusparseDenseToSparseAlg_t : int { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 };
enum cusparseSpMatAttribute_t : int { CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1 };
enum cusparseFillMode_t : int { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 };
enum cusparseDiagType_t : int { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 };
enum cusparseDirection_t : int { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 };
enum cusparseSolvePolicy_t : int { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 };
enum cusparseMatrixType_t : int { CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1 };

struct cusparseMatDescr;
using cusparseMatDescr_t = cusparseMatDescr*;
struct cusparseContext;
using cusparseHandle_t = cusparseContext*;
struct cusparseSpMatDescr;
using cusparseSpMatDescr_t = cusparseSpMatDescr*;
using cusparseConstSpMatDescr_t = const cusparseSpMatDescr*;
struct cusparseDnVecDescr;
using cusparseDnVecDescr_t = cusparseDnVecDescr*;
using cusparseConstDnVecDescr_t = const cusparseDnVecDescr*;
struct cusparseDnMatDescr;
using cusparseDnMatDescr_t = cusparseDnMatDescr*;
using cusparseConstDnMatDescr_t = const cusparseDnMatDescr*;
struct cusparseSpGEMMDescr;
using cusparseSpGEMMDescr_t = cusparseSpGEMMDescr*;
struct cusparseSpSVDescr;
using cusparseSpSVDescr_t = cusparseSpSVDescr*;
struct csrilu02Info;
using csrilu02Info_t = csrilu02Info*;

extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);

/// What the interface before the generic one wants to know of a matrix.
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base);

/// Indices of 32 bits, values float or double; others: CUSPARSE_STATUS_NOT_SUPPORTED.
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* offsets, void* columns, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* offsets, void* in_rows, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t row_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* in_rows, void* columns, void* values,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType value_type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns,
                                        void* values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* in_rows, void* columns,
                                        void* values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, std::int64_t* rows,
                                      std::int64_t* cols, std::int64_t* entries);
/// Which triangle a solve takes, and whether its diagonal is 1: an enumerator of 4 bytes.
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute,
                                           void* data, std::size_t bytes);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, std::int64_t size, void* values,
                                     cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                     std::int64_t leading, void* values, cudaDataType type,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);

// y = alpha op(A) x + beta y, and the same for matrices B and C as they are. The buffers are not used.
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void* beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, std::size_t* bytes);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                              void* buffer);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         const void* beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t algorithm, std::size_t* bytes);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t algorithm, void* buffer);

/// C = alpha A B + beta C of matrices in CSR, none of them transposed. Each of the first two steps is called
/// without a buffer, which tells how large it is, and then with it; compute sets the number of C's entries,
/// whose arrays copy fills. CUSPARSE_STATUS_INVALID_VALUE out of this order.
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* description);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t algorithm,
                                               cusparseSpGEMMDescr_t description, std::size_t* bytes,
                                               void* buffer);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t description, std::int64_t* products);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t description,
                                        std::size_t* bytes, void* buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute, cusparseSpGEMMAlg_t algorithm,
                                     cusparseSpGEMMDescr_t description);

/// op(A) y = alpha x with A's triangle of CUSPARSE_SPMAT_FILL_MODE. CUSPARSE_STATUS_INVALID_VALUE before the
/// analysis.
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* description);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType compute,
                                         cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t description,
                                         std::size_t* bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType compute,
                                       cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t description,
                                       void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm,
                                    cusparseSpSVDescr_t description);

/// Incomplete LU without fill-in, in place: L below the diagonal with 1 on it, U from it on.
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
/// CUSPARSE_STATUS_ZERO_PIVOT and the first row without a pivot, or -1.
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
#define WORKBOOK_CUSPARSE_REAL(P, T)                                                                      \
  cusparseStatus_t cusparse##P##csrilu02_bufferSize(                                                      \
      cusparseHandle_t handle, int n, int entries, cusparseMatDescr_t description, T* values,             \
      const int* offsets, const int* columns, csrilu02Info_t info, int* bytes);                           \
  cusparseStatus_t cusparse##P##csrilu02_analysis(                                                        \
      cusparseHandle_t handle, int n, int entries, cusparseMatDescr_t description, const T* values,       \
      const int* offsets, const int* columns, csrilu02Info_t info, cusparseSolvePolicy_t policy,          \
      void* buffer);                                                                                      \
  cusparseStatus_t cusparse##P##csrilu02(cusparseHandle_t handle, int n, int entries,                     \
                                         cusparseMatDescr_t description, T* values, const int* offsets,   \
                                         const int* columns, csrilu02Info_t info,                         \
                                         cusparseSolvePolicy_t policy, void* buffer);                     \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, \
                                    cusparseMatDescr_t description, const T* a, int lda, int* each,       \
                                    int* total);
/// nnz: how many elements are not zero, in each row or column and in all; the total is the host's or, in
/// device pointer mode, the device's.
WORKBOOK_CUSPARSE_REAL(S, float)
WORKBOOK_CUSPARSE_REAL(D, double)
#undef WORKBOOK_CUSPARSE_REAL

/// The analysis counts: cusparseSpMatGetSize() has the number of entries then.
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                  cusparseSpMatDescr_t sparse,
                                                  cusparseDenseToSparseAlg_t algorithm, std::size_t* bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse,
                                                cusparseDenseToSparseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse,
                                               cusparseDenseToSparseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                                  cusparseDnMatDescr_t dense,
                                                  cusparseSparseToDenseAlg_t algorithm, std::size_t* bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t algorithm,
                                       void* buffer);
}

namespace workbook::sim {
inline void operator,(cusparseStatus_t status, const Dropped& at) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    workbook_sim_dropped(at.call, "cusparse", status, cusparseGetErrorName(status), at.file, at.line);
}
}  // namespace workbook::sim
