// cuBLAS: batches of LU factors, of systems solved and of matrices inverted by them, and triangular solves.
#include <cmath>
#include <utility>

#include "sim/libraries/cublas_routine.h"

namespace workbook::sim {
namespace {

/// n x n and column-major.
template <class T>
struct Square {
  T* data;
  int n, ld;
  T& operator()(int i, int j) const { return data[static_cast<std::ptrdiff_t>(j) * ld + i]; }
};

/// In place, with rows exchanged where `pivots` is not null, counted from 1. The first pivot that is 0, from
/// 1; else 0.
template <class T>
int factor(const Square<T>& a, int* pivots) {
  int info = 0;
  for (int k = 0; k < a.n; ++k) {
    int best = k;
    if (pivots != nullptr) {
      for (int i = k + 1; i < a.n; ++i)
        if (std::fabs(a(i, k)) > std::fabs(a(best, k))) best = i;
      pivots[k] = best + 1;
      for (int j = 0; j < a.n && best != k; ++j) std::swap(a(k, j), a(best, j));
    }
    if (a(k, k) == T{0}) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int i = k + 1; i < a.n; ++i) {
      a(i, k) /= a(k, k);
      for (int j = k + 1; j < a.n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}

/// x in place of b: op(L U) x = P b, or, transposed, with the rows exchanged afterwards.
template <class T>
void solve(const Square<T>& a, const int* pivots, bool transposed, T* b) {
  const auto exchange = [&](int k) {
    if (pivots != nullptr && pivots[k] - 1 != k) std::swap(b[k], b[pivots[k] - 1]);
  };
  for (int k = 0; k < a.n && !transposed; ++k) exchange(k);
  for (int i = 0; i < a.n; ++i) {
    for (int j = 0; j < i; ++j) b[i] -= (transposed ? a(j, i) : a(i, j)) * b[j];
    if (transposed) b[i] /= a(i, i);
  }
  for (int i = a.n - 1; i >= 0; --i) {
    for (int j = i + 1; j < a.n; ++j) b[i] -= (transposed ? a(j, i) : a(i, j)) * b[j];
    if (!transposed) b[i] /= a(i, i);
  }
  for (int k = a.n - 1; k >= 0 && transposed; --k) exchange(k);
}

/// The list of a batch's pointers, which lies in device memory.
Range list_of(const void* list, int count) { return {list, static_cast<std::size_t>(count) * sizeof(void*)}; }

Range ints(const int* data, int count) {
  return {data, sizeof(int), static_cast<std::size_t>(count), sizeof(int)};
}

template <class T>
cublasStatus_t getrf(const Call& call, cublasHandle_t handle, int n, T* const* a, int lda, int* pivots,
                     int* info, int count) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || count < 0 || lda < std::max(1, n) || info == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  Routine r{call, handle, {}, {ints(info, count)}, 2.0 / 3 * n * n * n * count};
  if (pivots != nullptr) r.writes.push_back(ints(pivots, n * count));
  r.lists = {list_of(a, count)};
  r.follow = [=](LibraryLaunch& launch) {
    for (int i = 0; i < count; ++i) {
      launch.reads.push_back(matrix_range(a[i], n, n, lda));
      launch.writes.push_back(launch.reads.back());
    }
  };
  return run_routine(std::move(r), [=] {
    for (int i = 0; i < count; ++i)
      info[i] = factor<T>({a[i], n, lda}, pivots == nullptr ? nullptr : pivots + i * n);
  });
}

template <class T>
cublasStatus_t getrs(const Call& call, cublasHandle_t handle, bool transposed, int n, int columns,
                     const T* const* a, int lda, const int* pivots, T* const* b, int ldb, int* info,
                     int count) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (info == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *info = n < 0                  ? -2
          : columns < 0          ? -3
          : lda < std::max(1, n) ? -5
          : ldb < std::max(1, n) ? -8
          : count < 0            ? -10
                                 : 0;
  if (*info != 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  Routine r{call, handle, {}, {}, 2.0 * n * n * columns * count};
  if (pivots != nullptr) r.reads.push_back(ints(pivots, n * count));
  r.lists = {list_of(a, count), list_of(b, count)};
  r.follow = [=](LibraryLaunch& launch) {
    for (int i = 0; i < count; ++i) {
      launch.reads.push_back(matrix_range(a[i], n, n, lda));
      launch.reads.push_back(matrix_range(b[i], n, columns, ldb));
      launch.writes.push_back(launch.reads.back());
    }
  };
  return run_routine(std::move(r), [=] {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < columns; ++j)
        solve<T>({const_cast<T*>(a[i]), n, lda}, pivots == nullptr ? nullptr : pivots + i * n, transposed,
                 b[i] + static_cast<std::ptrdiff_t>(j) * ldb);
  });
}

template <class T>
cublasStatus_t getri(const Call& call, cublasHandle_t handle, int n, const T* const* a, int lda,
                     const int* pivots, T* const* c, int ldc, int* info, int count) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || count < 0 || lda < std::max(1, n) || ldc < std::max(1, n) || info == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  Routine r{call, handle, {}, {ints(info, count)}, 4.0 / 3 * n * n * n * count};
  if (pivots != nullptr) r.reads.push_back(ints(pivots, n * count));
  r.lists = {list_of(a, count), list_of(c, count)};
  r.follow = [=](LibraryLaunch& launch) {
    for (int i = 0; i < count; ++i) {
      launch.reads.push_back(matrix_range(a[i], n, n, lda));
      launch.writes.push_back(matrix_range(c[i], n, n, ldc));
    }
  };
  return run_routine(std::move(r), [=] {
    for (int i = 0; i < count; ++i) {
      const Square<T> lu{const_cast<T*>(a[i]), n, lda}, out{c[i], n, ldc};
      info[i] = 0;
      for (int k = n; k > 0; --k)
        if (lu(k - 1, k - 1) == T{0}) info[i] = k;
      for (int j = 0; j < n && info[i] == 0; ++j) {
        for (int row = 0; row < n; ++row) out(row, j) = row == j ? T{1} : T{0};
        solve(lu, pivots == nullptr ? nullptr : pivots + i * n, false, &out(0, j));
      }
    }
  });
}

template <class T>
cublasStatus_t trsm(const Call& call, cublasHandle_t handle, bool left, bool lower, bool transposed,
                    bool unit, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int order = left ? m : n;
  if (m < 0 || n < 0 || lda < std::max(1, order) || ldb < std::max(1, m) || alpha == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar by = scalar(call, handle, alpha, kType<T>);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Range out = matrix_range(b, m, n, ldb);
  Routine r{call, handle, {out}, {out}, 1.0 * order * m * n};
  r.scaled = {{by}};
  // Of A the one triangle is read, column by column.
  for (int j = 0; j < order; ++j) {
    const int first = lower ? j : 0, last = lower ? order : j + 1;
    r.reads.push_back({a + static_cast<std::ptrdiff_t>(j) * lda + first,
                       static_cast<std::size_t>(last - first) * sizeof(T), 1, sizeof(T)});
  }
  return run_routine(std::move(r), [=] {
    // X op(A) = B, row by row, is op(A) turned X = B.
    const bool turned = transposed == left, forward = lower != turned;
    const auto scale = static_cast<T>(by.value());
    const auto at = [&](int i, int j) {
      return turned ? a[static_cast<std::ptrdiff_t>(i) * lda + j]
                    : a[static_cast<std::ptrdiff_t>(j) * lda + i];
    };
    for (int line = 0; line < (left ? n : m); ++line) {
      const auto x = [&](int i) -> T& {
        return left ? b[static_cast<std::ptrdiff_t>(line) * ldb + i]
                    : b[static_cast<std::ptrdiff_t>(i) * ldb + line];
      };
      for (int step = 0; step < order; ++step) {
        const int i = forward ? step : order - 1 - step;
        T sum = scale * x(i);
        for (int j = forward ? 0 : i + 1; j < (forward ? i : order); ++j) sum -= at(i, j) * x(j);
        x(i) = unit ? sum : sum / at(i, i);
      }
    }
  });
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

#define WORKBOOK_FACTOR(P, T)                                                                              \
  cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda, int* pivots, \
                                         int* info, int count) {                                           \
    return getrf<T>(WORKBOOK_CALL, handle, n, a, lda, pivots, info, count);                                \
  }                                                                                                        \
  cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns,  \
                                         const T* const a[], int lda, const int* pivots, T* const b[],     \
                                         int ldb, int* info, int count) {                                  \
    return getrs<T>(WORKBOOK_CALL, handle, op != CUBLAS_OP_N, n, columns, a, lda, pivots, b, ldb, info,    \
                    count);                                                                                \
  }                                                                                                        \
  cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda,        \
                                         const int* pivots, T* const c[], int ldc, int* info, int count) { \
    return getri<T>(WORKBOOK_CALL, handle, n, a, lda, pivots, c, ldc, info, count);                        \
  }                                                                                                        \
  cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,            \
                                 const T* alpha, const T* a, int lda, T* b, int ldb) {                     \
    return trsm<T>(WORKBOOK_CALL, handle, side == CUBLAS_SIDE_LEFT, fill == CUBLAS_FILL_MODE_LOWER,        \
                   op != CUBLAS_OP_N, diagonal == CUBLAS_DIAG_UNIT, m, n, alpha, a, lda, b, ldb);          \
  }
WORKBOOK_FACTOR(S, float)
WORKBOOK_FACTOR(D, double)
#undef WORKBOOK_FACTOR

}  // extern "C"
