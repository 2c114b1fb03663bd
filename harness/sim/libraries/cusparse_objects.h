// What cuSPARSE's handles and descriptions hold, and what all its routines begin with.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/libraries/library_launch.h"
#include "workbook_sim/libraries/cusparse.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
/// Lines are rows, or of CSC columns. CSR and CSC: `offsets` has where each line begins, and the end. COO:
/// the row of each entry.
struct cusparseSpMatDescr {
  std::int64_t rows, cols, entries;
  int* offsets;
  int* indices;
  void* values;
  int base;
  cudaDataType type;
  cusparseFormat_t format;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
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

inline std::size_t size_of(cudaDataType type) { return type == CUDA_R_64F ? sizeof(double) : sizeof(float); }
inline bool is_known(cudaDataType type) { return type == CUDA_R_32F || type == CUDA_R_64F; }
/// f(0.0f) or f(0.0), by the type of the elements.
template <class F>
auto with_elements(cudaDataType type, F f) {
  return type == CUDA_R_64F ? f(double{}) : f(float{});
}

/// A dense matrix's lines, columns or rows, as they lie.
inline Range range_of(const cusparseDnMatDescr& m) {
  const bool by_column = m.order == CUSPARSE_ORDER_COL;
  return {m.values, static_cast<std::size_t>(by_column ? m.rows : m.cols) * size_of(m.type),
          static_cast<std::size_t>(by_column ? m.cols : m.rows),
          static_cast<std::size_t>(m.leading) * size_of(m.type)};
}
inline std::int64_t place(const cusparseDnMatDescr& m, std::int64_t row, std::int64_t col) {
  return m.order == CUSPARSE_ORDER_COL ? col * m.leading + row : row * m.leading + col;
}

template <class T>
Range range_of_array(const T* start, std::int64_t count) {
  return {start, static_cast<std::size_t>(count) * sizeof(T)};
}

inline std::int64_t lines_of(const cusparseSpMatDescr& a) {
  return a.format == CUSPARSE_FORMAT_CSC ? a.cols : a.rows;
}
inline Range offsets_of(const cusparseSpMatDescr& a) {
  return range_of_array(a.offsets, a.format == CUSPARSE_FORMAT_COO ? a.entries : lines_of(a) + 1);
}
inline Range values_of(const cusparseSpMatDescr& a) {
  return {a.values, static_cast<std::size_t>(a.entries) * size_of(a.type)};
}
inline void add_ranges(const cusparseSpMatDescr& a, std::vector<Range>& ranges) {
  ranges.insert(ranges.end(), {offsets_of(a), range_of_array(a.indices, a.entries), values_of(a)});
}

/// each(row, column, number of the entry). False: an index lies outside, and the rest was left.
template <class Each>
bool for_entries(const cusparseSpMatDescr& a, Each each) {
  const auto visit = [&](std::int64_t line, std::int64_t k) {
    const std::int64_t other = a.indices[k] - a.base;
    const bool turned = a.format == CUSPARSE_FORMAT_CSC;
    const std::int64_t row = turned ? other : line, col = turned ? line : other;
    if (row < 0 || row >= a.rows || col < 0 || col >= a.cols) return false;
    each(row, col, k);
    return true;
  };
  if (a.format == CUSPARSE_FORMAT_COO) {
    for (std::int64_t k = 0; k < a.entries; ++k)
      if (!visit(a.offsets[k] - a.base, k)) return false;
    return true;
  }
  for (std::int64_t line = 0; line < lines_of(a); ++line)
    for (std::int64_t k = a.offsets[line] - a.base; k < a.offsets[line + 1] - a.base; ++k)
      if (k < 0 || k >= a.entries || !visit(line, k)) return false;
  return true;
}

/// The call has met such an index.
void report_outside(const Call& call, const cusparseSpMatDescr& a);

inline Scalar factor_of(const Call& call, const cusparseContext& handle, const void* at, cudaDataType type) {
  return {call, at, type, handle.mode == CUSPARSE_POINTER_MODE_DEVICE};
}

/// Runs the work; `right` is false where the work has met an index outside.
inline cusparseStatus_t finish(const cusparseContext& handle, LibraryLaunch& launch, std::int64_t lines,
                               const bool* right) {
  launch.grid = {static_cast<std::uint32_t>(std::max<std::int64_t>(1, (lines + 255) / 256)), 1, 1};
  const cudaError_t error = run_library(handle.stream, launch);
  return error == cudaSuccess && *right ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/// Some libraries' programs cannot allocate nothing.
template <class Bytes>
cusparseStatus_t least_buffer(Bytes* bytes) {
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace workbook::sim
