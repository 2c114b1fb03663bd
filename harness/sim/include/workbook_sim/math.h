// Device math in the global namespace: the C library's functions are there already, with C++'s overloads for
// float; what the CUDA Math API adds is here. Fast-math intrinsics compute at full precision: a learner's
// error is never the approximation's.
#pragma once

#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <limits>

#include "attributes.h"

namespace workbook::sim {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kSqrtHalf = 0.70710678118654752440;
inline constexpr double kTwoOverSqrtPi = 1.12837916709551257390;

/// sin(pi x), exact where x is a multiple of 1/2.
inline double sin_pi(double x) {
  const double r = std::fmod(x, 2.0);
  const double quarter = std::nearbyint(2.0 * r);
  const double rest = kPi * (r - quarter / 2.0);
  switch ((static_cast<int>(quarter) % 4 + 4) % 4) {
    case 0:
      return std::sin(rest);
    case 1:
      return std::cos(rest);
    case 2:
      return -std::sin(rest);
    default:
      return -std::cos(rest);
  }
}

inline double cos_pi(double x) {
  const double r = std::fmod(std::fabs(x), 2.0);
  return std::isfinite(r) ? sin_pi(r + 0.5) : r;
}

/// y with erfc(y) = q: the rational start of Abramowitz and Stegun 26.2.23 for the normal quantile, then
/// Halley's iteration, in which f''/f' = -2 y.
inline double erfc_inverse(double q) {
  if (!(q >= 0.0 && q <= 2.0)) return std::numeric_limits<double>::quiet_NaN();
  if (q == 0.0) return std::numeric_limits<double>::infinity();
  if (q == 2.0) return -std::numeric_limits<double>::infinity();
  if (q > 1.0) return -erfc_inverse(2.0 - q);
  const double t = std::sqrt(-2.0 * std::log(q / 2.0));
  double y = kSqrtHalf * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                  (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double slope = kTwoOverSqrtPi * std::exp(-y * y);
    if (slope == 0.0) break;
    const double error = std::erfc(y) - q;
    y += error / (slope - y * error);
  }
  return y;
}

inline double erf_inverse(double x) {
  const double magnitude = std::fabs(x);
  double y = erfc_inverse(1.0 - magnitude);
  if (magnitude < 0.9) {  // near 1 the complement is the better conditioned of the two
    for (int i = 0; i < 2; ++i) {
      const double error = std::erf(y) - magnitude;
      y -= error / (kTwoOverSqrtPi * std::exp(-y * y) + y * error);
    }
  }
  return std::copysign(y, x);
}

/// exp(x^2) erfc(x); the asymptotic series where exp(x^2) would overflow.
inline double scaled_erfc(double x) {
  if (x < 25.0) return std::exp(x * x) * std::erfc(x);
  const double s = 1.0 / (2.0 * x * x);
  return kTwoOverSqrtPi / 2.0 / x * (1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s))));
}

/// std::cyl_bessel_i, whose templates take longer to compile than most kernels.
double cyl_bessel_i(double order, double x);

}  // namespace workbook::sim

// Functions of one number that the C library lacks, for double and, by way of it, for float.
#define WORKBOOK_SIM_MATH1(NAME, EXPRESSION)          \
  inline double NAME(double x) { return EXPRESSION; } \
  inline float NAME##f(float x_) {                    \
    const double x = static_cast<double>(x_);         \
    return static_cast<float>(EXPRESSION);            \
  }
WORKBOOK_SIM_MATH1(rsqrt, 1.0 / std::sqrt(x))
WORKBOOK_SIM_MATH1(rcbrt, 1.0 / std::cbrt(x))
WORKBOOK_SIM_MATH1(sinpi, workbook::sim::sin_pi(x))
WORKBOOK_SIM_MATH1(cospi, workbook::sim::cos_pi(x))
WORKBOOK_SIM_MATH1(erfinv, workbook::sim::erf_inverse(x))
WORKBOOK_SIM_MATH1(erfcinv, workbook::sim::erfc_inverse(x))
WORKBOOK_SIM_MATH1(erfcx, workbook::sim::scaled_erfc(x))
WORKBOOK_SIM_MATH1(normcdf, 0.5 * std::erfc(-x * workbook::sim::kSqrtHalf))
WORKBOOK_SIM_MATH1(normcdfinv, -2.0 * workbook::sim::kSqrtHalf * workbook::sim::erfc_inverse(2.0 * x))
WORKBOOK_SIM_MATH1(cyl_bessel_i0, workbook::sim::cyl_bessel_i(0.0, std::fabs(x)))
WORKBOOK_SIM_MATH1(cyl_bessel_i1, std::copysign(workbook::sim::cyl_bessel_i(1.0, std::fabs(x)), x))
#undef WORKBOOK_SIM_MATH1

inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline float rsqrt(float x) { return rsqrtf(x); }
inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline float norm3df(float a, float b, float c) { return std::hypot(a, b, c); }
inline double norm4d(double a, double b, double c, double d) { return std::hypot(std::hypot(a, b), c, d); }
inline float norm4df(float a, float b, float c, float d) { return std::hypot(std::hypot(a, b), c, d); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
WORKBOOK_SIM_INLINE double norm(int dimensions, const double* p) {
  double length = 0.0;
  for (int i = 0; i < dimensions; ++i) length = std::hypot(length, p[i]);
  return length;
}
WORKBOOK_SIM_INLINE float normf(int dimensions, const float* p) {
  float length = 0.0f;
  for (int i = 0; i < dimensions; ++i) length = std::hypot(length, p[i]);
  return length;
}
WORKBOOK_SIM_INLINE double rnorm(int dimensions, const double* p) { return 1.0 / norm(dimensions, p); }
WORKBOOK_SIM_INLINE float rnormf(int dimensions, const float* p) { return 1.0f / normf(dimensions, p); }

inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
WORKBOOK_SIM_INLINE void __sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }
inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }  // NaN becomes 0

inline int min(int a, int b) { return a < b ? a : b; }
inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
inline unsigned int min(int a, unsigned int b) { return min(static_cast<unsigned int>(a), b); }
inline unsigned int min(unsigned int a, int b) { return min(a, static_cast<unsigned int>(b)); }
inline long min(long a, long b) { return a < b ? a : b; }
inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
inline unsigned long min(long a, unsigned long b) { return min(static_cast<unsigned long>(a), b); }
inline unsigned long min(unsigned long a, long b) { return min(a, static_cast<unsigned long>(b)); }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
inline unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
inline unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
inline float min(float a, float b) { return fminf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
inline unsigned int max(int a, unsigned int b) { return max(static_cast<unsigned int>(a), b); }
inline unsigned int max(unsigned int a, int b) { return max(a, static_cast<unsigned int>(b)); }
inline long max(long a, long b) { return a > b ? a : b; }
inline unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
inline unsigned long max(long a, unsigned long b) { return max(static_cast<unsigned long>(a), b); }
inline unsigned long max(unsigned long a, long b) { return max(a, static_cast<unsigned long>(b)); }
inline long long max(long long a, long long b) { return a > b ? a : b; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
inline unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
inline unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
inline float max(float a, float b) { return fmaxf(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }
inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
