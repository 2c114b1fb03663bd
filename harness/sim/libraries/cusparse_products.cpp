// cuSPARSE: products of a sparse matrix with a vector or a matrix.
#include <memory>

#include "sim/libraries/cusparse_objects.h"

namespace workbook::sim {
namespace {

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
  return for_entries(a, [&](std::int64_t row, std::int64_t col, std::int64_t k) {
    const std::int64_t out = transposed ? col : row, in = transposed ? row : col;
    for (std::int64_t j = 0; j < c.cols; ++j)
      to[place(c, out, j)] += alpha * values[k] * from[place(b, in, j)];
  });
}

template <class T>
cusparseStatus_t multiply_as(const Call& call, const cusparseContext& handle, bool transposed,
                             const void* alpha, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b,
                             const void* beta, const cusparseDnMatDescr& c) {
  const Scalar by = factor_of(call, handle, alpha, a.type), kept = factor_of(call, handle, beta, a.type);
  LibraryLaunch launch;
  launch.call = call;
  launch.scaled = {{by}, {kept, {range_of(c)}}};
  add_ranges(a, launch.reads);
  launch.reads.push_back(range_of(b));
  launch.writes = {range_of(c)};
  launch.flops = 2.0 * static_cast<double>(a.entries) * static_cast<double>(c.cols);
  // A graph replays the work when this frame is gone: then nobody asks for the answer.
  auto right = std::make_shared<bool>(true);
  launch.compute = [=] {
    *right = compute(transposed, static_cast<T>(by.value()), a, b, static_cast<T>(kept.value()), c);
    if (!*right) report_outside(call, a);
  };
  return finish(handle, launch, a.rows, right.get());
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
  return with_elements(
      type, [&]<class T>(T) { return multiply_as<T>(call, *handle, transposed, alpha, *a, *b, beta, *c); });
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

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
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
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
