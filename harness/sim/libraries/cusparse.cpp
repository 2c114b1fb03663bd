// cuSPARSE: products of matrices in compressed rows.
#include "workbook_sim/libraries/cusparse.h"

#include <algorithm>
#include <memory>

#include "sim/libraries/library_launch.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct cusparseSpMatDescr {
  std::int64_t rows, cols, entries;
  const int* offsets;
  const int* columns;
  const void* values;
  int base;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  std::int64_t rows, cols, leading;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
};
struct cusparseDnVecDescr {
  cusparseDnMatDescr column;  ///< a matrix of one
};

namespace workbook::sim {
namespace {

std::size_t size_of(cudaDataType type) { return type == CUDA_R_64F ? sizeof(double) : sizeof(float); }
bool is_known(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }

/// A dense matrix's lines, columns or rows, as they lie.
Range range_of(const cusparseDnMatDescr& m) {
  const bool by_column = m.order == CUSPARSE_ORDER_COL;
  return {m.values, static_cast<std::size_t>(by_column ? m.rows : m.cols) * size_of(m.type),
          static_cast<std::size_t>(by_column ? m.cols : m.rows),
          static_cast<std::size_t>(m.leading) * size_of(m.type)};
}
std::int64_t place(const cusparseDnMatDescr& m, std::int64_t row, std::int64_t col) {
  return m.order == CUSPARSE_ORDER_COL ? col * m.leading + row : row * m.leading + col;
}

/// c = alpha op(a) b + beta c. False: an index lies outside.
template <class T>
bool compute(bool transposed, T alpha, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b, T beta,
             const cusparseDnMatDescr& c) {
  const auto* const values = static_cast<const T*>(a.values);
  const auto* const from = static_cast<const T*>(b.values);
  auto* const to = static_cast<T*>(c.values);
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (std::int64_t j = 0; j < c.cols; ++j) {
      T& one = to[place(c, i, j)];
      one = beta == T{0} ? T{0} : beta * one;
    }
  for (std::int64_t row = 0; row < a.rows; ++row)
    for (std::int64_t k = a.offsets[row] - a.base; k < a.offsets[row + 1] - a.base; ++k) {
      if (k < 0 || k >= a.entries) return false;
      const std::int64_t col = a.columns[k] - a.base;
      if (col < 0 || col >= a.cols) return false;
      const std::int64_t out = transposed ? col : row, in = transposed ? row : col;
      for (std::int64_t j = 0; j < c.cols; ++j)
        to[place(c, out, j)] += alpha * values[k] * from[place(b, in, j)];
    }
  return true;
}

template <class T>
cusparseStatus_t multiply_as(const Call& call, const cusparseContext& handle, bool transposed,
                             const void* alpha, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b,
                             const void* beta, const cusparseDnMatDescr& c) {
  const bool on_device = handle.mode == CUSPARSE_POINTER_MODE_DEVICE;
  const Scalar by(alpha, a.type, on_device), kept(beta, a.type, on_device);
  LibraryLaunch launch;
  launch.call = call;
  launch.scaled = {{by}, {kept, {range_of(c)}}};
  launch.reads.push_back({a.offsets, static_cast<std::size_t>(a.rows + 1) * sizeof(int)});
  launch.reads.push_back({a.columns, static_cast<std::size_t>(a.entries) * sizeof(int)});
  launch.reads.push_back({a.values, static_cast<std::size_t>(a.entries) * sizeof(T)});
  launch.reads.push_back(range_of(b));
  launch.writes = {range_of(c)};
  launch.flops = 2.0 * static_cast<double>(a.entries) * static_cast<double>(c.cols);
  launch.grid = {static_cast<std::uint32_t>(std::max<std::int64_t>(1, (a.rows + 255) / 256)), 1, 1};
  // A graph replays the work when this frame is gone: then nobody asks for the answer.
  auto answer = std::make_shared<bool>(true);
  launch.compute = [=] {
    *answer = compute(transposed, static_cast<T>(by.value()), a, b, static_cast<T>(kept.value()), c);
  };
  const cudaError_t error = run_library(handle.stream, launch);
  return error == cudaSuccess && *answer ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

cusparseStatus_t multiply(const Call& call, cusparseHandle_t handle, cusparseOperation_t op,
                          const void* alpha, const cusparseSpMatDescr* a, const cusparseDnMatDescr* b,
                          const void* beta, const cusparseDnMatDescr* c, cudaDataType type) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || a == nullptr || b == nullptr || beta == nullptr || c == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (a->type != type || b->type != type || c->type != type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (b->rows != (transposed ? a->rows : a->cols) || c->rows != (transposed ? a->cols : a->rows) ||
      b->cols != c->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return type == CUDA_R_64F ? multiply_as<double>(call, *handle, transposed, alpha, *a, *b, beta, *c)
                            : multiply_as<float>(call, *handle, transposed, alpha, *a, *b, beta, *c);
}

/// Some libraries' programs cannot allocate nothing.
cusparseStatus_t least_buffer(std::size_t* bytes) {
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

const char* cusparseGetErrorName(cusparseStatus_t status) {
  static constexpr const char* kNames[] = {"CUSPARSE_STATUS_SUCCESS",
                                           "CUSPARSE_STATUS_NOT_INITIALIZED",
                                           "CUSPARSE_STATUS_ALLOC_FAILED",
                                           "CUSPARSE_STATUS_INVALID_VALUE",
                                           "CUSPARSE_STATUS_ARCH_MISMATCH",
                                           "CUSPARSE_STATUS_MAPPING_ERROR",
                                           "CUSPARSE_STATUS_EXECUTION_FAILED",
                                           "CUSPARSE_STATUS_INTERNAL_ERROR",
                                           "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_ZERO_PIVOT",
                                           "CUSPARSE_STATUS_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return status < 0 || status > CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? "an unknown status" : kNames[status];
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "initialization error";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "kernel launch failure";
    case CUSPARSE_STATUS_NOT_SUPPORTED:
      return "operation not supported";
    default:
      return cusparseGetErrorName(status);
  }
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* description) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *description = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description) {
  delete description;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  description->type = type;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  description->base = base;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                   std::int64_t entries, void* offsets, void* columns, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  if (matrix == nullptr || rows < 0 || cols < 0 || entries < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (offset_type != CUSPARSE_INDEX_32I || column_type != CUSPARSE_INDEX_32I || !is_known(type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  *matrix = new cusparseSpMatDescr{
      rows,   cols, entries, static_cast<const int*>(offsets), static_cast<const int*>(columns),
      values, base, type};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, std::int64_t size, void* values,
                                     cudaDataType type) {
  if (vector == nullptr || size < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_known(type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *vector = new cusparseDnVecDescr{{size, 1, size, values, type, CUSPARSE_ORDER_COL}};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  if (vector == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  vector->column.values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, std::int64_t rows, std::int64_t cols,
                                     std::int64_t leading, void* values, cudaDataType type,
                                     cusparseOrder_t order) {
  if (matrix == nullptr || rows < 0 || cols < 0 || leading < (order == CUSPARSE_ORDER_COL ? rows : cols))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_known(type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *matrix = new cusparseDnMatDescr{rows, cols, leading, values, type, order};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                         std::size_t* bytes) {
  return least_buffer(bytes);
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t, void*) {
  return multiply(WORKBOOK_CALL, handle, op, alpha, a, x == nullptr ? nullptr : &x->column, beta,
                  y == nullptr ? nullptr : &y->column, type);
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         std::size_t* bytes) {
  return least_buffer(bytes);
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t,
                              void*) {
  if (op_b != CUSPARSE_OPERATION_NON_TRANSPOSE) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return multiply(WORKBOOK_CALL, handle, op_a, alpha, a, b, beta, c, type);
}

}  // extern "C"
