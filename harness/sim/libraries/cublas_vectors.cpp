// cuBLAS: vectors, matrix times vector, and what works element by element. Sums are taken in double.
#include <cmath>

#include "sim/libraries/cublas_routine.h"

namespace workbook::sim {
namespace {

template <class T>
cublasStatus_t axpy(const Call& call, cublasHandle_t handle, const T* alpha, Vector<const T> x, Vector<T> y) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar a = scalar(call, handle, alpha, kType<T>);
  return run_routine({call, handle, {x.range(), y.range()}, {y.range()}, 2.0 * x.n, {{a}}}, [=] {
    const auto by = static_cast<T>(a.value());
    for (int i = 0; i < x.n; ++i) y[i] = std::fma(by, x[i], y[i]);
  });
}

template <class T>
cublasStatus_t scal(const Call& call, cublasHandle_t handle, const T* alpha, Vector<T> x) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar a = scalar(call, handle, alpha, kType<T>);
  return run_routine({call, handle, {x.range()}, {x.range()}, 1.0 * x.n, {{a}}}, [=] {
    const auto by = static_cast<T>(a.value());
    for (int i = 0; i < x.n; ++i) x[i] *= by;
  });
}

/// sum over i of term(i), and finish(sum) as the result.
template <class T, class Term, class Finish>
cublasStatus_t reduce(Routine r, T* result, int n, Term term, Finish finish) {
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  r.result = result;
  r.result_bytes = sizeof(T);
  return run_routine(std::move(r), [=] {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += term(i);
    *result = static_cast<T>(finish(sum));
  });
}

template <class T>
cublasStatus_t extreme(const Call& call, cublasHandle_t handle, Vector<const T> x, int* result,
                       bool largest) {
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return run_routine({call, handle, {x.range()}, {}, 1.0 * x.n, {}, result, sizeof(int)}, [=] {
    int best = 0;
    for (int i = 1; i < x.n; ++i)
      if (largest ? std::abs(x[i]) > std::abs(x[best]) : std::abs(x[i]) < std::abs(x[best])) best = i;
    *result = x.n > 0 ? best + 1 : 0;  // counted from 1, as in Fortran
  });
}

template <class T>
cublasStatus_t gemv(const Call& call, cublasHandle_t handle, cublasOperation_t op, int m, int n,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || incx <= 0 || incy <= 0 || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool flipped = op != CUBLAS_OP_N;
  // A vector with a stride is a matrix of one column, row by row.
  const Matrix in{const_cast<T*>(x), kType<T>, flipped ? m : n, 1, incx, true};
  const Matrix out{y, kType<T>, flipped ? n : m, 1, incy, true};
  Gemm g;
  g.call = call;
  g.transpose_a = flipped;
  g.alpha = scalar(call, handle, alpha, kType<T>);
  g.beta = scalar(call, handle, beta, kType<T>);
  g.compute = kType<T> == CUDA_R_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  g.batch.push_back({{const_cast<T*>(a), kType<T>, m, n, lda, false}, in, out, out});
  return run_gemm(handle->stream, g);
}

template <class T>
cublasStatus_t geam(const Call& call, cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                    int m, int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb,
                    T* c, int ldc) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool ta = op_a != CUBLAS_OP_N, tb = op_b != CUBLAS_OP_N;
  if (m < 0 || n < 0 || lda < (ta ? n : m) || ldb < (tb ? n : m) || ldc < m || alpha == nullptr ||
      beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar of_a = scalar(call, handle, alpha, kType<T>), of_b = scalar(call, handle, beta, kType<T>);
  Routine r{call, handle, {}, {matrix_range(c, m, n, ldc)}, 3.0 * m * n};
  r.scaled = {{of_a, {matrix_range(a, ta ? n : m, ta ? m : n, lda)}},
              {of_b, {matrix_range(b, tb ? n : m, tb ? m : n, ldb)}}};
  return run_routine(std::move(r), [=] {
    const auto s = static_cast<T>(of_a.value()), t = static_cast<T>(of_b.value());
    const auto at = [](const T* data, int ld, bool flipped, int i, int j) {
      return data[flipped ? static_cast<std::ptrdiff_t>(i) * ld + j
                          : static_cast<std::ptrdiff_t>(j) * ld + i];
    };
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        T sum = 0;
        if (s != T{0}) sum += s * at(a, lda, ta, i, j);
        if (t != T{0}) sum += t * at(b, ldb, tb, i, j);
        c[static_cast<std::ptrdiff_t>(j) * ldc + i] = sum;
      }
  });
}

template <class T>
cublasStatus_t ger(const Call& call, cublasHandle_t handle, const T* alpha, Vector<const T> x,
                   Vector<const T> y, T* a, int lda) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (lda < x.n || alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar s = scalar(call, handle, alpha, kType<T>);
  const Range all = matrix_range(a, x.n, y.n, lda);
  return run_routine({call, handle, {x.range(), y.range(), all}, {all}, 2.0 * x.n * y.n, {{s}}}, [=] {
    const auto by = static_cast<T>(s.value());
    for (int j = 0; j < y.n; ++j)
      for (int i = 0; i < x.n; ++i) a[static_cast<std::ptrdiff_t>(j) * lda + i] += by * x[i] * y[j];
  });
}

template <class T>
cublasStatus_t dgmm(const Call& call, cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,
                    int lda, const T* x, int incx, T* c, int ldc) {
  if (m < 0 || n < 0 || lda < m || ldc < m || incx <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Vector<const T> diagonal{x, left ? m : n, incx};
  return run_routine({call,
                      handle,
                      {matrix_range(a, m, n, lda), diagonal.range()},
                      {matrix_range(c, m, n, ldc)},
                      1.0 * m * n},
                     [=] {
                       for (int j = 0; j < n; ++j)
                         for (int i = 0; i < m; ++i)
                           c[static_cast<std::ptrdiff_t>(j) * ldc + i] =
                               a[static_cast<std::ptrdiff_t>(j) * lda + i] * diagonal[left ? i : j];
                     });
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

#define WORKBOOK_VECTORS(P, I, T)                                                                            \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,   \
                                 int incy) {                                                                 \
    return axpy<T>(WORKBOOK_CALL, handle, alpha, {x, n, incx}, {y, n, incy});                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {             \
    return scal<T>(WORKBOOK_CALL, handle, alpha, {x, n, incx});                                              \
  }                                                                                                          \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {       \
    const Vector<const T> from{x, n, incx};                                                                  \
    const Vector<T> to{y, n, incy};                                                                          \
    return run_routine({WORKBOOK_CALL, handle, {from.range()}, {to.range()}, 0}, [=] {                       \
      for (int i = 0; i < n; ++i) to[i] = from[i];                                                           \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {             \
    const Vector<T> a{x, n, incx}, b{y, n, incy};                                                            \
    return run_routine({WORKBOOK_CALL, handle, {a.range(), b.range()}, {a.range(), b.range()}, 0}, [=] {     \
      for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);                                                     \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,    \
                                T* result) {                                                                 \
    const Vector<const T> a{x, n, incx}, b{y, n, incy};                                                      \
    return reduce(                                                                                           \
        {WORKBOOK_CALL, handle, {a.range(), b.range()}, {}, 2.0 * n}, result, n,                             \
        [=](int i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); },                        \
        [](double sum) { return sum; });                                                                     \
  }                                                                                                          \
  cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {            \
    const Vector<const T> a{x, n, incx};                                                                     \
    return reduce(                                                                                           \
        {WORKBOOK_CALL, handle, {a.range()}, {}, 2.0 * n}, result, n,                                        \
        [=](int i) { return static_cast<double>(a[i]) * static_cast<double>(a[i]); },                        \
        [](double sum) { return std::sqrt(sum); });                                                          \
  }                                                                                                          \
  cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) {            \
    const Vector<const T> a{x, n, incx};                                                                     \
    return reduce(                                                                                           \
        {WORKBOOK_CALL, handle, {a.range()}, {}, 1.0 * n}, result, n,                                        \
        [=](int i) { return std::fabs(static_cast<double>(a[i])); }, [](double sum) { return sum; });        \
  }                                                                                                          \
  cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result) {         \
    return extreme<T>(WORKBOOK_CALL, handle, {x, n, incx}, result, true);                                    \
  }                                                                                                          \
  cublasStatus_t cublasI##I##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result) {         \
    return extreme<T>(WORKBOOK_CALL, handle, {x, n, incx}, result, false);                                   \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,  \
                                 const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) { \
    return gemv<T>(WORKBOOK_CALL, handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                  \
  }                                                                                                          \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,   \
                                const T* y, int incy, T* a, int lda) {                                       \
    return ger<T>(WORKBOOK_CALL, handle, alpha, {x, m, incx}, {y, n, incy}, a, lda);                         \
  }                                                                                                          \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,      \
                                 int m, int n, const T* alpha, const T* a, int lda, const T* beta,           \
                                 const T* b, int ldb, T* c, int ldc) {                                       \
    return geam<T>(WORKBOOK_CALL, handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);            \
  }                                                                                                          \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a,     \
                                 int lda, const T* x, int incx, T* c, int ldc) {                             \
    return dgmm<T>(WORKBOOK_CALL, handle, side, m, n, a, lda, x, incx, c, ldc);                              \
  }
WORKBOOK_VECTORS(S, s, float)
WORKBOOK_VECTORS(D, d, double)
#undef WORKBOOK_VECTORS

}  // extern "C"
