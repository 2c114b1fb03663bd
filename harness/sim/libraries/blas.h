// Matrix products by the machine's own BLAS (Debian: libopenblas0-pthread, or the slow reference libblas3).
// It is loaded when a program first needs it, so that nobody else has to have it; the simulator has no
// product of its own beside it.
#pragma once

#include <complex>

namespace workbook::sim {

enum class Turned { no, transposed, conjugated };

inline Turned turned_if(bool transposed) { return transposed ? Turned::transposed : Turned::no; }

/// All matrices column-major: C = alpha * op(A) * op(B) + beta * C with op(A) m x k.
template <class T>
struct Product {
  Turned a_turned, b_turned;
  int m, n, k;
  T alpha;
  const T* a;
  int lda;
  const T* b;
  int ldb;
  T beta;
  T* c;
  int ldc;
};

/// Whether there is a BLAS. When there is none, the first call says on standard error what to install.
bool blas_is_there();
/// Only where blas_is_there().
void multiply(const Product<float>& p);
void multiply(const Product<double>& p);
void multiply(const Product<std::complex<float>>& p);
void multiply(const Product<std::complex<double>>& p);

}  // namespace workbook::sim
