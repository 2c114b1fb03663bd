// cuBLAS for complex numbers: products of matrices and vectors. Sums of vectors are taken in double.
#include <cmath>
#include <complex>

#include "sim/libraries/cublas_routine.h"

namespace workbook::sim {
namespace {

template <class C>
using RealOf = decltype(C::x);
template <class C>
using StdOf = std::complex<RealOf<C>>;

template <class C>
std::complex<double> wide(const C& value) {
  if constexpr (std::is_floating_point_v<C>)
    return static_cast<double>(value);
  else
    return {static_cast<double>(value.x), static_cast<double>(value.y)};
}
template <class C>
C narrow(std::complex<double> value) {
  return {static_cast<RealOf<C>>(value.real()), static_cast<RealOf<C>>(value.imag())};
}

/// A factor of type T, as Scalar is one of real numbers: read at the call from the host, and from the device
/// when the work runs.
template <class T>
class Factor {
 public:
  Factor(const Call& call, cublasHandle_t handle, const T* at) {
    check_factor(call, at, handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE);
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
      on_device_ = at;
    else
      value_ = *at;
  }
  T value() const { return on_device_ == nullptr ? value_ : *on_device_; }
  bool is_always_zero() const { return on_device_ == nullptr && wide(value_) == 0.0; }
  void add_range(std::vector<Range>& reads) const {
    if (on_device_ != nullptr) reads.push_back({on_device_, sizeof(T), 1, sizeof(T)});
  }

 private:
  T value_{};
  const T* on_device_ = nullptr;
};

template <class C>
struct ComplexGemm {
  cublasOperation_t op_a, op_b;
  int m, n, k;
  const C* a;
  int lda;
  long long stride_a;
  const C* b;
  int ldb;
  long long stride_b;
  C* c;
  int ldc;
  long long stride_c;
  int count;
};

template <class C>
cublasStatus_t gemm_complex(const Call& call, cublasHandle_t handle, const C* alpha, const C* beta,
                            const ComplexGemm<C>& g) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool ta = g.op_a != CUBLAS_OP_N, tb = g.op_b != CUBLAS_OP_N;
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.count < 0 || g.lda < std::max(1, ta ? g.k : g.m) ||
      g.ldb < std::max(1, tb ? g.n : g.k) || g.ldc < std::max(1, g.m) || alpha == nullptr ||
      beta == nullptr) {
    because(
        CUBLAS_STATUS_INVALID_VALUE,
        "A size is negative, or a leading dimension less than its matrix has rows: cuBLAS takes matrices column by "
        "column, and the leading dimension is the distance of columns.");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const Factor<C> scale(call, handle, alpha), keep(call, handle, beta);
  if (g.m == 0 || g.n == 0 || g.count == 0) return CUBLAS_STATUS_SUCCESS;
  const double work = 8.0 * g.m * g.n * g.k * g.count;
  Routine r{call, handle, {}, {}, work};
  scale.add_range(r.reads);
  keep.add_range(r.reads);
  for (int i = 0; i < g.count; ++i) {
    r.reads.push_back(matrix_range(g.a + g.stride_a * i, ta ? g.k : g.m, ta ? g.m : g.k, g.lda));
    r.reads.push_back(matrix_range(g.b + g.stride_b * i, tb ? g.n : g.k, tb ? g.k : g.n, g.ldb));
    r.writes.push_back(matrix_range(g.c + g.stride_c * i, g.m, g.n, g.ldc));
    if (!keep.is_always_zero()) r.reads.push_back(r.writes.back());
  }
  return run_routine(std::move(r), [=] {
    using T = StdOf<C>;
    const C by = scale.value(), kept = keep.value();
    for (int i = 0; i < g.count; ++i)
      multiply(Product<T>{turned(g.op_a), turned(g.op_b), g.m, g.n, g.k, T(by.x, by.y),
                          reinterpret_cast<const T*>(g.a + g.stride_a * i), g.lda,
                          reinterpret_cast<const T*>(g.b + g.stride_b * i), g.ldb, T(kept.x, kept.y),
                          reinterpret_cast<T*>(g.c + g.stride_c * i), g.ldc});
  });
}

template <class C>
cublasStatus_t axpy_complex(const Call& call, cublasHandle_t handle, const C* alpha, Vector<const C> x,
                            Vector<C> y) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Factor<C> a(call, handle, alpha);
  Routine r{call, handle, {x.range(), y.range()}, {y.range()}, 8.0 * x.n};
  a.add_range(r.reads);
  return run_routine(std::move(r), [=] {
    const std::complex<double> by = wide(a.value());
    for (int i = 0; i < x.n; ++i) y[i] = narrow<C>(wide(y[i]) + by * wide(x[i]));
  });
}

/// By a factor that is complex, or real.
template <class C, class T>
cublasStatus_t scal_complex(const Call& call, cublasHandle_t handle, const T* alpha, Vector<C> x) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Factor<T> a(call, handle, alpha);
  Routine r{call, handle, {x.range()}, {x.range()}, 6.0 * x.n};
  a.add_range(r.reads);
  return run_routine(std::move(r), [=] {
    const std::complex<double> by = wide(a.value());
    for (int i = 0; i < x.n; ++i) x[i] = narrow<C>(wide(x[i]) * by);
  });
}

/// finish(sum over i of term(i)) as the result.
template <class R, class Term, class Finish>
cublasStatus_t reduce_complex(Routine r, R* result, int n, Term term, Finish finish) {
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  r.result = result;
  r.result_bytes = sizeof(R);
  return run_routine(std::move(r), [=] {
    std::complex<double> sum = 0;
    for (int i = 0; i < n; ++i) sum += term(i);
    *result = finish(sum);
  });
}

template <class C>
cublasStatus_t dot_complex(const Call& call, cublasHandle_t handle, Vector<const C> x, Vector<const C> y,
                           C* result, bool conjugated) {
  return reduce_complex(
      {call, handle, {x.range(), y.range()}, {}, 8.0 * x.n}, result, x.n,
      [=](int i) { return (conjugated ? std::conj(wide(x[i])) : wide(x[i])) * wide(y[i]); },
      [](std::complex<double> sum) { return narrow<C>(sum); });
}

}  // namespace
}  // namespace workbook::sim

using namespace workbook::sim;

extern "C" {

#define WORKBOOK_COMPLEX(P, RP, C, R)                                                                        \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,      \
                                 int m, int n, int k, const C* alpha, const C* a, int lda, const C* b,       \
                                 int ldb, const C* beta, C* c, int ldc) {                                    \
    return gemm_complex<C>(WORKBOOK_CALL, handle, alpha, beta,                                               \
                           {op_a, op_b, m, n, k, a, lda, 0, b, ldb, 0, c, ldc, 0, 1});                       \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,            \
      const C* alpha, const C* a, int lda, long long stride_a, const C* b, int ldb, long long stride_b,      \
      const C* beta, C* c, int ldc, long long stride_c, int count) {                                         \
    return gemm_complex<C>(                                                                                  \
        WORKBOOK_CALL, handle, alpha, beta,                                                                  \
        {op_a, op_b, m, n, k, a, lda, stride_a, b, ldb, stride_b, c, ldc, stride_c, count});                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const C* alpha,  \
                                 const C* a, int lda, const C* x, int incx, const C* beta, C* y, int incy) { \
    if (incx != 1 || incy != 1) return CUBLAS_STATUS_NOT_SUPPORTED;                                          \
    const int rows = op == CUBLAS_OP_N ? m : n, sum = op == CUBLAS_OP_N ? n : m;                             \
    return gemm_complex<C>(                                                                                  \
        WORKBOOK_CALL, handle, alpha, beta,                                                                  \
        {op, CUBLAS_OP_N, rows, 1, sum, a, lda, 0, x, std::max(1, sum), 0, y, std::max(1, rows), 0, 1});     \
  }                                                                                                          \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const C* alpha, const C* x, int incx, C* y,   \
                                 int incy) {                                                                 \
    return axpy_complex<C>(WORKBOOK_CALL, handle, alpha, {x, n, incx}, {y, n, incy});                        \
  }                                                                                                          \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const C* alpha, C* x, int incx) {             \
    return scal_complex<C>(WORKBOOK_CALL, handle, alpha, {x, n, incx});                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const C* x, int incx, C* y, int incy) {       \
    const Vector<const C> from{x, n, incx};                                                                  \
    const Vector<C> to{y, n, incy};                                                                          \
    return run_routine({WORKBOOK_CALL, handle, {from.range()}, {to.range()}, 0}, [=] {                       \
      for (int i = 0; i < n; ++i) to[i] = from[i];                                                           \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, C* x, int incx, C* y, int incy) {             \
    const Vector<C> a{x, n, incx}, b{y, n, incy};                                                            \
    return run_routine({WORKBOOK_CALL, handle, {a.range(), b.range()}, {a.range(), b.range()}, 0}, [=] {     \
      for (int i = 0; i < n; ++i) std::swap(a[i], b[i]);                                                     \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##dotu(cublasHandle_t handle, int n, const C* x, int incx, const C* y, int incy,   \
                                 C* result) {                                                                \
    return dot_complex<C>(WORKBOOK_CALL, handle, {x, n, incx}, {y, n, incy}, result, false);                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##dotc(cublasHandle_t handle, int n, const C* x, int incx, const C* y, int incy,   \
                                 C* result) {                                                                \
    return dot_complex<C>(WORKBOOK_CALL, handle, {x, n, incx}, {y, n, incy}, result, true);                  \
  }                                                                                                          \
  cublasStatus_t cublas##RP##nrm2(cublasHandle_t handle, int n, const C* x, int incx, R* result) {           \
    const Vector<const C> a{x, n, incx};                                                                     \
    return reduce_complex(                                                                                   \
        {WORKBOOK_CALL, handle, {a.range()}, {}, 4.0 * n}, result, n,                                        \
        [=](int i) { return std::norm(wide(a[i])); },                                                        \
        [](std::complex<double> sum) { return static_cast<R>(std::sqrt(sum.real())); });                     \
  }                                                                                                          \
  cublasStatus_t cublas##RP##asum(cublasHandle_t handle, int n, const C* x, int incx, R* result) {           \
    const Vector<const C> a{x, n, incx};                                                                     \
    return reduce_complex(                                                                                   \
        {WORKBOOK_CALL, handle, {a.range()}, {}, 2.0 * n}, result, n,                                        \
        [=](int i) { return std::fabs(wide(a[i]).real()) + std::fabs(wide(a[i]).imag()); },                  \
        [](std::complex<double> sum) { return static_cast<R>(sum.real()); });                                \
  }
WORKBOOK_COMPLEX(C, Sc, cuComplex, float)
WORKBOOK_COMPLEX(Z, Dz, cuDoubleComplex, double)
#undef WORKBOOK_COMPLEX

cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int incx) {
  return scal_complex<cuComplex>(WORKBOOK_CALL, handle, alpha, {x, n, incx});
}
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int incx) {
  return scal_complex<cuDoubleComplex>(WORKBOOK_CALL, handle, alpha, {x, n, incx});
}

}  // extern "C"
