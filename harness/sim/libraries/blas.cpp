#include "sim/libraries/blas.h"

#include <dlfcn.h>

#include <cstdio>
#include <initializer_list>

namespace workbook::sim {
namespace {

// The C interface of BLAS; enumerators have these numbers in all of its implementations.
enum Layout { column_major = 102 };
enum Transpose { no_transpose = 111, transpose = 112, conjugate_transpose = 113 };
template <class T>
using CblasGemm = void (*)(Layout, Transpose, Transpose, int, int, int, T, const T*, int, const T*, int, T,
                           T*, int);

/// Complex factors are handed over by address.
using CblasComplexGemm = void (*)(Layout, Transpose, Transpose, int, int, int, const void*, const void*, int,
                                  const void*, int, const void*, void*, int);

struct Blas {
  CblasGemm<float> sgemm = nullptr;
  CblasGemm<double> dgemm = nullptr;
  CblasComplexGemm cgemm = nullptr, zgemm = nullptr;
};

Blas load_blas() {
  for (const char* name : {"libopenblas.so.0", "libblas.so.3"}) {
    void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const Blas blas{reinterpret_cast<CblasGemm<float>>(dlsym(library, "cblas_sgemm")),
                    reinterpret_cast<CblasGemm<double>>(dlsym(library, "cblas_dgemm")),
                    reinterpret_cast<CblasComplexGemm>(dlsym(library, "cblas_cgemm")),
                    reinterpret_cast<CblasComplexGemm>(dlsym(library, "cblas_zgemm"))};
    if (blas.sgemm != nullptr && blas.dgemm != nullptr && blas.cgemm != nullptr && blas.zgemm != nullptr)
      return blas;
  }
  std::fputs(
      "This program calls cuBLAS, which the simulator computes with the machine's BLAS, and there is none.\n"
      "Install one and run again: sudo apt install libopenblas0-pthread\n",
      stderr);
  return {};
}

const Blas& blas() {
  static const Blas loaded = load_blas();
  return loaded;
}

Transpose word_for(Turned turned) {
  return turned == Turned::no ? no_transpose : turned == Turned::transposed ? transpose : conjugate_transpose;
}

template <class T>
void run(CblasGemm<T> gemm, const Product<T>& p) {
  gemm(column_major, word_for(p.a_turned), word_for(p.b_turned), p.m, p.n, p.k, p.alpha, p.a, p.lda, p.b,
       p.ldb, p.beta, p.c, p.ldc);
}

template <class T>
void run(CblasComplexGemm gemm, const Product<T>& p) {
  gemm(column_major, word_for(p.a_turned), word_for(p.b_turned), p.m, p.n, p.k, &p.alpha, p.a, p.lda, p.b,
       p.ldb, &p.beta, p.c, p.ldc);
}

}  // namespace

bool blas_is_there() { return blas().sgemm != nullptr; }
void multiply(const Product<float>& p) { run(blas().sgemm, p); }
void multiply(const Product<double>& p) { run(blas().dgemm, p); }
void multiply(const Product<std::complex<float>>& p) { run(blas().cgemm, p); }
void multiply(const Product<std::complex<double>>& p) { run(blas().zgemm, p); }

}  // namespace workbook::sim
