// cuBLAS's copies of matrices and vectors between host and device.
#include <optional>

#include "sim/libraries/cublas_handle.h"
#include "sim/runtime/copies.h"

namespace workbook::sim {
namespace {

cublasStatus_t copy_matrix(const Call& call, int rows, int cols, int bytes, const void* from, int from_ld,
                           void* to, int to_ld, cudaMemcpyKind kind,
                           std::optional<cudaStream_t> stream = std::nullopt) {
  if (rows < 0 || cols < 0 || bytes <= 0 || from_ld < rows || to_ld < rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = [bytes](int n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes); };
  const auto count = static_cast<std::size_t>(cols);
  const Copy copy{{to, size(rows), count, size(to_ld)}, {from, size(rows), count, size(from_ld)}, kind};
  const Work work = copy_work(call, copy);
  const cudaError_t error = stream ? enqueue(*stream, work) : enqueue_and_wait(work);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cublasStatus_t cublasSetMatrix(int rows, int cols, int bytes, const void* a, int lda, void* device, int ldb) {
  return copy_matrix(WORKBOOK_CALL, rows, cols, bytes, a, lda, device, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int bytes, const void* a, int lda, void* device,
                                    int ldb, cudaStream_t stream) {
  return copy_matrix(WORKBOOK_CALL, rows, cols, bytes, a, lda, device, ldb, cudaMemcpyHostToDevice, stream);
}

cublasStatus_t cublasGetMatrix(int rows, int cols, int bytes, const void* device, int lda, void* b, int ldb) {
  return copy_matrix(WORKBOOK_CALL, rows, cols, bytes, device, lda, b, ldb, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int bytes, const void* device, int lda, void* b,
                                    int ldb, cudaStream_t stream) {
  return copy_matrix(WORKBOOK_CALL, rows, cols, bytes, device, lda, b, ldb, cudaMemcpyDeviceToHost, stream);
}

// A vector with a stride is a matrix of one row.
cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* device, int incy) {
  return copy_matrix(WORKBOOK_CALL, 1, n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* device, int incy,
                                    cudaStream_t stream) {
  return copy_matrix(WORKBOOK_CALL, 1, n, bytes, x, incx, device, incy, cudaMemcpyHostToDevice, stream);
}

cublasStatus_t cublasGetVector(int n, int bytes, const void* device, int incx, void* y, int incy) {
  return copy_matrix(WORKBOOK_CALL, 1, n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* device, int incx, void* y, int incy,
                                    cudaStream_t stream) {
  return copy_matrix(WORKBOOK_CALL, 1, n, bytes, device, incx, y, incy, cudaMemcpyDeviceToHost, stream);
}

}  // extern "C"
