// Complex numbers as <cuComplex.h> has them: pairs, and functions that avoid overflow where the result does
// not.
#pragma once

#include <cmath>

#include "vector_types.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

namespace workbook::sim {

template <class C>
inline auto product(C a, C b) {
  return C{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
/// Both parts are scaled first, so that no square overflows.
template <class C>
inline auto quotient(C a, C b) {
  const auto scale = std::fabs(b.x) + std::fabs(b.y);
  const auto s = 1 / scale;
  const C p{a.x * s, a.y * s}, q{b.x * s, b.y * s};
  const auto n = 1 / (q.x * q.x + q.y * q.y);
  return C{(p.x * q.x + p.y * q.y) * n, (p.y * q.x - p.x * q.y) * n};
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_COMPLEX(SUFFIX, REAL, COMPLEX)                                             \
  inline REAL cuCreal##SUFFIX(COMPLEX x) { return x.x; }                                        \
  inline REAL cuCimag##SUFFIX(COMPLEX x) { return x.y; }                                        \
  inline COMPLEX cuConj##SUFFIX(COMPLEX x) { return {x.x, -x.y}; }                              \
  inline COMPLEX cuCadd##SUFFIX(COMPLEX x, COMPLEX y) { return {x.x + y.x, x.y + y.y}; }        \
  inline COMPLEX cuCsub##SUFFIX(COMPLEX x, COMPLEX y) { return {x.x - y.x, x.y - y.y}; }        \
  inline COMPLEX cuCmul##SUFFIX(COMPLEX x, COMPLEX y) { return workbook::sim::product(x, y); }  \
  inline COMPLEX cuCdiv##SUFFIX(COMPLEX x, COMPLEX y) { return workbook::sim::quotient(x, y); } \
  inline REAL cuCabs##SUFFIX(COMPLEX x) { return std::hypot(x.x, x.y); }                        \
  inline COMPLEX cuCfma##SUFFIX(COMPLEX x, COMPLEX y, COMPLEX d) {                              \
    const COMPLEX p = workbook::sim::product(x, y);                                             \
    return {p.x + d.x, p.y + d.y};                                                              \
  }
WORKBOOK_SIM_COMPLEX(f, float, cuFloatComplex)
WORKBOOK_SIM_COMPLEX(, double, cuDoubleComplex)
#undef WORKBOOK_SIM_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) { return {real, imaginary}; }
inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {x.x, x.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}
