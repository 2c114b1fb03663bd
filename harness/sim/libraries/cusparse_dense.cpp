// cuSPARSE: dense matrices counted and made sparse, and the way back.
#include <memory>

#include "sim/libraries/cusparse_objects.h"

namespace workbook::sim {
namespace {

template <class T>
bool is_set(const cusparseDnMatDescr& a, std::int64_t row, std::int64_t col) {
  return static_cast<const T*>(a.values)[place(a, row, col)] != T{0};
}

/// Where the total goes: host memory, or in device pointer mode the device's.
template <class T>
cusparseStatus_t count_entries(const Call& call, cusparseHandle_t handle, cusparseDirection_t direction,
                               const cusparseDnMatDescr& a, const cusparseMatDescr* description, int* each,
                               int* total) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a.rows < 0 || a.cols < 0 || a.leading < std::max<std::int64_t>(1, a.rows) || description == nullptr ||
      total == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool by_row = direction == CUSPARSE_DIRECTION_ROW;
  const std::int64_t lines = by_row ? a.rows : a.cols, length = by_row ? a.cols : a.rows;
  LibraryLaunch launch;
  launch.call = call;
  launch.reads = {range_of(a)};
  launch.writes = {range_of_array(each, lines)};
  if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE) launch.writes.push_back(range_of_array(total, 1));
  launch.compute = [=] {
    *total = 0;
    for (std::int64_t line = 0; line < lines; ++line) {
      each[line] = 0;
      for (std::int64_t i = 0; i < length; ++i)
        each[line] += (by_row ? is_set<T>(a, line, i) : is_set<T>(a, i, line)) ? 1 : 0;
      *total += each[line];
    }
  };
  const bool right = true;
  return finish(*handle, launch, lines, &right);
}

/// each(row, column) of all entries that are not zero, line by line as `to` has them.
template <class T, class Each>
void for_set(const cusparseDnMatDescr& a, const cusparseSpMatDescr& to, Each each) {
  const bool turned = to.format == CUSPARSE_FORMAT_CSC;
  for (std::int64_t line = 0; line < lines_of(to); ++line)
    for (std::int64_t i = 0; i < (turned ? a.rows : a.cols); ++i) {
      const std::int64_t row = turned ? i : line, col = turned ? line : i;
      if (is_set<T>(a, row, col)) each(row, col);
    }
}

template <class T>
void make_sparse(const cusparseDnMatDescr& a, const cusparseSpMatDescr& to) {
  std::int64_t entries = 0;
  const bool turned = to.format == CUSPARSE_FORMAT_CSC, listed = to.format == CUSPARSE_FORMAT_COO;
  if (!listed) std::fill(to.offsets, to.offsets + lines_of(to) + 1, 0);
  for_set<T>(a, to, [&](std::int64_t row, std::int64_t col) {
    if (listed)
      to.offsets[entries] = static_cast<int>(row) + to.base;
    else
      ++to.offsets[(turned ? col : row) + 1];
    to.indices[entries] = static_cast<int>(turned ? row : col) + to.base;
    static_cast<T*>(to.values)[entries] = static_cast<const T*>(a.values)[place(a, row, col)];
    ++entries;
  });
  if (listed) return;
  to.offsets[0] = to.base;
  for (std::int64_t line = 0; line < lines_of(to); ++line) to.offsets[line + 1] += to.offsets[line];
}

cusparseStatus_t check(cusparseHandle_t handle, const cusparseDnMatDescr* dense,
                       const cusparseSpMatDescr* sparse) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (dense == nullptr || sparse == nullptr || dense->rows != sparse->rows || dense->cols != sparse->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return dense->type == sparse->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

template <class Compute>
cusparseStatus_t run(const Call& call, const cusparseContext& handle, std::vector<Range> reads,
                     std::vector<Range> writes, std::int64_t lines, Compute compute) {
  LibraryLaunch launch;
  launch.call = call;
  launch.reads = std::move(reads);
  launch.writes = std::move(writes);
  auto right = std::make_shared<bool>(true);
  launch.compute = [=] { *right = compute(); };
  return finish(handle, launch, lines, right.get());
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cusparseStatus_t cusparseSnnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                              cusparseMatDescr_t description, const float* a, int lda, int* each,
                              int* total) {
  const cusparseDnMatDescr dense{m, n, lda, const_cast<float*>(a), CUDA_R_32F, CUSPARSE_ORDER_COL};
  return count_entries<float>(WORKBOOK_CALL, handle, direction, dense, description, each, total);
}
cusparseStatus_t cusparseDnnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                              cusparseMatDescr_t description, const double* a, int lda, int* each,
                              int* total) {
  const cusparseDnMatDescr dense{m, n, lda, const_cast<double*>(a), CUDA_R_64F, CUSPARSE_ORDER_COL};
  return count_entries<double>(WORKBOOK_CALL, handle, direction, dense, description, each, total);
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                  cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                  std::size_t* bytes) {
  const cusparseStatus_t status = check(handle, dense, sparse);
  return status == CUSPARSE_STATUS_SUCCESS ? least_buffer(bytes) : status;
}
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                                cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                                void*) {
  const cusparseStatus_t status = check(handle, dense, sparse);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return run(WORKBOOK_CALL, *handle, {range_of(*dense)}, {}, dense->rows, [a = *dense, sparse] {
    sparse->entries = 0;
    const auto count = [&](std::int64_t, std::int64_t) { ++sparse->entries; };
    with_elements(a.type, [&]<class T>(T) { for_set<T>(a, *sparse, count); });
    return true;
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t dense,
                                               cusparseSpMatDescr_t sparse, cusparseDenseToSparseAlg_t,
                                               void*) {
  const cusparseStatus_t status = check(handle, dense, sparse);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  std::vector<Range> writes;
  add_ranges(*sparse, writes);
  return run(WORKBOOK_CALL, *handle, {range_of(*dense)}, writes, dense->rows, [a = *dense, to = *sparse] {
    with_elements(a.type, [&]<class T>(T) { make_sparse<T>(a, to); });
    return true;
  });
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                                  cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t,
                                                  std::size_t* bytes) {
  const cusparseStatus_t status = check(handle, dense, sparse);
  return status == CUSPARSE_STATUS_SUCCESS ? least_buffer(bytes) : status;
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t sparse,
                                       cusparseDnMatDescr_t dense, cusparseSparseToDenseAlg_t, void*) {
  const cusparseStatus_t status = check(handle, dense, sparse);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  std::vector<Range> reads;
  add_ranges(*sparse, reads);
  return run(WORKBOOK_CALL, *handle, reads, {range_of(*dense)}, dense->rows, [a = *sparse, to = *dense] {
    const std::size_t bytes = size_of(to.type);
    char* const out = static_cast<char*>(to.values);
    const char* const values = static_cast<const char*>(a.values);
    for (std::int64_t row = 0; row < to.rows; ++row)
      for (std::int64_t col = 0; col < to.cols; ++col)
        std::fill_n(out + static_cast<std::size_t>(place(to, row, col)) * bytes, bytes, char{0});
    return for_entries(a, [&](std::int64_t row, std::int64_t col, std::int64_t k) {
      std::copy_n(values + static_cast<std::size_t>(k) * bytes, bytes,
                  out + static_cast<std::size_t>(place(to, row, col)) * bytes);
    });
  });
}

}  // extern "C"
