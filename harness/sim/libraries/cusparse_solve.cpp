// cuSPARSE: triangular solves, and the incomplete factors that they are asked for with.
#include <map>
#include <memory>

#include "sim/libraries/cusparse_objects.h"

struct cusparseSpSVDescr {
  bool analysed = false;
};
struct csrilu02Info {
  std::int64_t zero_pivot = -1;  ///< the first row whose pivot is zero or missing
};

namespace workbook::sim {
namespace {

/// op(a) y = alpha x, a's one triangle alone. False: an index lies outside.
template <class T>
bool solve(bool transposed, T alpha, const cusparseSpMatDescr& a, const T* x, T* y) {
  const auto* const values = static_cast<const T*>(a.values);
  const bool lower = (a.fill == CUSPARSE_FILL_MODE_LOWER) != transposed,
             unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  struct Entry {
    std::int64_t col;
    T value;
  };
  std::vector<std::vector<Entry>> rows(static_cast<std::size_t>(a.rows));
  std::vector<T> diagonal(rows.size(), unit ? T{1} : T{0});
  const bool right = for_entries(a, [&](std::int64_t row, std::int64_t col, std::int64_t k) {
    if (transposed) std::swap(row, col);
    if (row == col && !unit) diagonal[static_cast<std::size_t>(row)] = values[k];
    if (lower ? col < row : col > row) rows[static_cast<std::size_t>(row)].push_back({col, values[k]});
  });
  for (std::int64_t n = 0; n < a.rows && right; ++n) {
    const std::int64_t row = lower ? n : a.rows - 1 - n;
    T sum = alpha * x[row];
    for (const Entry& e : rows[static_cast<std::size_t>(row)]) sum -= e.value * y[e.col];
    y[row] = sum / diagonal[static_cast<std::size_t>(row)];
  }
  return right;
}

template <class T>
cusparseStatus_t solve_as(const Call& call, const cusparseContext& handle, bool transposed, const void* alpha,
                          const cusparseSpMatDescr& a, const cusparseDnMatDescr& x,
                          const cusparseDnMatDescr& y) {
  const Scalar by = factor_of(call, handle, alpha, a.type);
  LibraryLaunch launch;
  launch.call = call;
  launch.scaled = {{by}};
  add_ranges(a, launch.reads);
  launch.reads.push_back(range_of(x));
  launch.writes = {range_of(y)};
  launch.flops = 2.0 * static_cast<double>(a.entries);
  auto right = std::make_shared<bool>(true);
  launch.compute = [=] {
    *right = solve(transposed, static_cast<T>(by.value()), a, static_cast<const T*>(x.values),
                   static_cast<T*>(y.values));
  };
  return finish(handle, launch, a.rows, right.get());
}

cusparseStatus_t check_solve(cusparseHandle_t handle, const void* alpha, cusparseConstSpMatDescr_t a,
                             cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type,
                             cusparseSpSVDescr_t description) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || a == nullptr || x == nullptr || y == nullptr || description == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (a->rows != a->cols || x->column.rows != a->rows || y->column.rows != a->rows)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool known = a->type == type && x->column.type == type && y->column.type == type;
  return known ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// In place: L below the diagonal, whose own is 1, and U, with no entry that `a` has not. Row by row.
template <class T>
std::int64_t factor(int n, const int* offsets, const int* columns, T* values, int base) {
  std::int64_t zero_pivot = -1;
  std::vector<int> diagonal(static_cast<std::size_t>(n), -1);
  for (int row = 0; row < n; ++row) {
    std::map<int, T*> own;
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) own[columns[k] - base] = &values[k];
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) {
      const int col = columns[k] - base;
      if (col == row) diagonal[static_cast<std::size_t>(row)] = k;
      if (col >= row || diagonal[static_cast<std::size_t>(col)] < 0) continue;
      const int pivot = diagonal[static_cast<std::size_t>(col)];
      values[k] /= values[pivot];
      for (int j = pivot + 1; j < offsets[col + 1] - base; ++j)
        if (const auto found = own.find(columns[j] - base); found != own.end())
          *found->second -= values[k] * values[j];
    }
    const int pivot = diagonal[static_cast<std::size_t>(row)];
    if ((pivot < 0 || values[pivot] == T{0}) && zero_pivot < 0) zero_pivot = row;
  }
  return zero_pivot;
}

bool indices_fit(int n, int entries, const int* offsets, const int* columns, int base) {
  for (int row = 0; row < n; ++row)
    if (offsets[row] < base || offsets[row] > offsets[row + 1] || offsets[row + 1] - base > entries)
      return false;
  return std::all_of(columns, columns + entries, [&](int c) { return c >= base && c - base < n; });
}

template <class T>
cusparseStatus_t factor_all(const Call& call, cusparseHandle_t handle, int n, int entries,
                            const cusparseMatDescr* description, T* values, const int* offsets,
                            const int* columns, csrilu02Info* info) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (n < 0 || entries < 0 || description == nullptr || info == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  LibraryLaunch launch;
  launch.call = call;
  launch.reads = {range_of_array(offsets, n + 1), range_of_array(columns, entries),
                  range_of_array(values, entries)};
  launch.writes = {range_of_array(values, entries)};
  launch.flops = 2.0 * entries;
  auto right = std::make_shared<bool>(true);
  launch.compute = [=, base = static_cast<int>(description->base)] {
    *right = indices_fit(n, entries, offsets, columns, base);
    if (*right) info->zero_pivot = factor(n, offsets, columns, values, base);
  };
  return finish(*handle, launch, n, right.get());
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* description) {
  if (description == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *description = new cusparseSpSVDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description) {
  delete description;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t description, std::size_t* bytes) {
  const cusparseStatus_t status = check_solve(handle, alpha, a, x, y, type, description);
  return status == CUSPARSE_STATUS_SUCCESS ? least_buffer(bytes) : status;
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                       cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t description, void*) {
  const cusparseStatus_t status = check_solve(handle, alpha, a, x, y, type, description);
  if (status == CUSPARSE_STATUS_SUCCESS) description->analysed = true;
  return status;
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t description) {
  const cusparseStatus_t status = check_solve(handle, alpha, a, x, y, type, description);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (!description->analysed) return CUSPARSE_STATUS_INVALID_VALUE;
  const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const Call call = WORKBOOK_CALL;
  return with_elements(type, [&]<class T>(T) {
    return solve_as<T>(call, *handle, transposed, alpha, *a, x->column, y->column);
  });
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  if (info == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new csrilu02Info;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (info == nullptr || position == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *position = static_cast<int>(info->zero_pivot);
  return info->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define WORKBOOK_ILU(P, T)                                                                                 \
  cusparseStatus_t cusparse##P##csrilu02_bufferSize(cusparseHandle_t handle, int, int, cusparseMatDescr_t, \
                                                    T*, const int*, const int*, csrilu02Info_t,            \
                                                    int* bytes) {                                          \
    return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : least_buffer(bytes);                      \
  }                                                                                                        \
  cusparseStatus_t cusparse##P##csrilu02_analysis(cusparseHandle_t handle, int, int, cusparseMatDescr_t,   \
                                                  const T*, const int*, const int*, csrilu02Info_t info,   \
                                                  cusparseSolvePolicy_t, void*) {                          \
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                                         \
    return info == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_SUCCESS;                      \
  }                                                                                                        \
  cusparseStatus_t cusparse##P##csrilu02(                                                                  \
      cusparseHandle_t handle, int n, int entries, cusparseMatDescr_t description, T* values,              \
      const int* offsets, const int* columns, csrilu02Info_t info, cusparseSolvePolicy_t, void*) {         \
    return factor_all<T>(WORKBOOK_CALL, handle, n, entries, description, values, offsets, columns, info);  \
  }
WORKBOOK_ILU(S, float)
WORKBOOK_ILU(D, double)
#undef WORKBOOK_ILU

}  // extern "C"
