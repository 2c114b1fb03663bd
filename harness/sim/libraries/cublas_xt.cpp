// cuBLASXt by BLAS.
#include "workbook_sim/libraries/cublas_xt.h"

#include <complex>
#include <limits>

#include "sim/libraries/cublas_handle.h"

struct cublasXtContext {
  cublasHandle_t blas = nullptr;  ///< for what lies in device memory
  int extent = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace workbook::sim {
namespace {

template <class T>
struct Xt {
  cublasOperation_t op_a, op_b;
  std::size_t m, n, k;
  const T *alpha, *a;
  std::size_t lda;
  const T* b;
  std::size_t ldb;
  const T* beta;
  T* c;
  std::size_t ldc;
};

bool is_of_device(const void* pointer) {
  const Side side = point_to(pointer).side;
  return side == Side::device || side == Side::managed;
}

template <class T>
void multiply_here(const Xt<T>& x) {
  const auto as = [](std::size_t value) { return static_cast<int>(value); };
  if constexpr (std::is_floating_point_v<T>) {
    multiply(Product<T>{turned_if(x.op_a != CUBLAS_OP_N), turned_if(x.op_b != CUBLAS_OP_N), as(x.m), as(x.n),
                        as(x.k), *x.alpha, x.a, as(x.lda), x.b, as(x.ldb), *x.beta, x.c, as(x.ldc)});
  } else {
    using C = std::complex<decltype(T::x)>;
    const auto at = [](const T* p) { return reinterpret_cast<const C*>(p); };
    multiply(Product<C>{turned(x.op_a), turned(x.op_b), as(x.m), as(x.n), as(x.k), *at(x.alpha), at(x.a),
                        as(x.lda), at(x.b), as(x.ldb), *at(x.beta), reinterpret_cast<C*>(x.c), as(x.ldc)});
  }
}

/// `on_device` is cuBLAS's routine for these types.
template <class T, class OnDevice>
cublasStatus_t gemm_anywhere(cublasXtHandle_t handle, const Xt<T>& x, OnDevice on_device) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  const std::size_t rows_a = x.op_a == CUBLAS_OP_N ? x.m : x.k, rows_b = x.op_b == CUBLAS_OP_N ? x.k : x.n;
  if (x.alpha == nullptr || x.beta == nullptr || x.lda < rows_a || x.ldb < rows_b || x.ldc < x.m)
    return CUBLAS_STATUS_INVALID_VALUE;
  for (const std::size_t extent : {x.m, x.n, x.k, x.lda, x.ldb, x.ldc})
    if (extent > kMost) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (x.m == 0 || x.n == 0) return CUBLAS_STATUS_SUCCESS;
  const int there = is_of_device(x.a) + is_of_device(x.b) + is_of_device(x.c);
  if (there == 0) {
    multiply_here(x);
    return CUBLAS_STATUS_SUCCESS;
  }
  if (there != 3) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto as = [](std::size_t value) { return static_cast<int>(value); };
  return on_device(handle->blas, x.op_a, x.op_b, as(x.m), as(x.n), as(x.k), x.alpha, x.a, as(x.lda), x.b,
                   as(x.ldb), x.beta, x.c, as(x.ldc));
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  cublasHandle_t blas = nullptr;
  if (const cublasStatus_t status = cublasCreate(&blas); status != CUBLAS_STATUS_SUCCESS) return status;
  *handle = new cublasXtContext{blas};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = cublasDestroy(handle->blas);
  delete handle;
  return status;
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return count == 1 && devices != nullptr && devices[0] == 0 ? CUBLAS_STATUS_SUCCESS
                                                             : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasXtGetNumBoards(int count, int devices[], int* boards) {
  if (count != 1 || devices == nullptr || boards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int* boards) {
  if (boards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int extent) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (extent <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  handle->extent = extent;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* extent) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (extent == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *extent = handle->extent;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->pinning;
  return CUBLAS_STATUS_SUCCESS;
}

#define WORKBOOK_XT(P, T)                                                                                   \
  cublasStatus_t cublasXt##P##gemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                                   std::size_t m, std::size_t n, std::size_t k, const T* alpha, const T* a, \
                                   std::size_t lda, const T* b, std::size_t ldb, const T* beta, T* c,       \
                                   std::size_t ldc) {                                                       \
    return gemm_anywhere<T>(handle, {op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc},             \
                            cublas##P##gemm);                                                               \
  }
WORKBOOK_XT(S, float)
WORKBOOK_XT(D, double)
WORKBOOK_XT(C, cuComplex)
WORKBOOK_XT(Z, cuDoubleComplex)
#undef WORKBOOK_XT

}  // extern "C"
