// Integer intrinsics, type casting intrinsics, and arithmetic in a given rounding mode: the CUDA Math API's
// chapters of those names.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "attributes.h"
#include "vector_types.h"

// ---- bits and integers

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned int __float_as_uint(float x) { return std::bit_cast<unsigned int>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::int64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::int64_t>(x)); }
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 |
                               static_cast<std::uint32_t>(low));
}

inline int __popc(unsigned int x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned int>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32 |
         __brev(static_cast<unsigned int>(x >> 32));
}
/// The position of the offset-th set bit of `mask`, counted upwards from `base`, downwards where the offset
/// is negative; all ones when there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return mask >> base & 1u ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1u) && --left == 0) return static_cast<unsigned int>(bit);
  return ~0u;
}
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 4; ++i) {
    const unsigned int pick = selector >> (4 * i) & 0xfu;
    unsigned int byte = static_cast<unsigned int>(bytes >> (8 * (pick & 7u))) & 0xffu;
    if (pick & 8u) byte = byte & 0x80u ? 0xffu : 0u;  // the sign, eight times
    result |= byte << (8 * i);
  }
  return result;
}
inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(((std::uint64_t{high} << 32 | low) << (shift & 31u)) >> 32);
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((std::uint64_t{high} << 32 | low) >> (shift & 31u));
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
inline int __mul24(int x, int y) {
  const auto low24 = [](int v) { return static_cast<std::int64_t>(static_cast<std::int32_t>(v << 8) >> 8); };
  return static_cast<int>(low24(x) * low24(y));
}
inline unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
inline int __mulhi(int x, int y) { return static_cast<int>((static_cast<std::int64_t>(x) * y) >> 32); }
inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((std::uint64_t{x} * y) >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  const unsigned long long low = 0xffffffffull;
  const unsigned long long cross = (x & low) * (y >> 32) + ((x & low) * (y & low) >> 32);
  const unsigned long long other = (x >> 32) * (y & low) + (cross & low);
  return (x >> 32) * (y >> 32) + (cross >> 32) + (other >> 32);
}
inline long long __mul64hi(long long x, long long y) {
  unsigned long long high =
      __umul64hi(static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
  if (x < 0) high -= static_cast<unsigned long long>(y);
  if (y < 0) high -= static_cast<unsigned long long>(x);
  return static_cast<long long>(high);
}
inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
inline unsigned int __sad(int x, int y, unsigned int z) {
  const unsigned int a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
  return z + (x > y ? a - b : b - a);
}
inline int __hadd(int x, int y) { return static_cast<int>((static_cast<std::int64_t>(x) + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((static_cast<std::int64_t>(x) + y + 1) >> 1); }
inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((std::uint64_t{x} + y) >> 1);
}
inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((std::uint64_t{x} + y + 1) >> 1);
}

namespace workbook::sim {

/// c + the dot product of the first kCount elements of kA and kB bits, taken as X and Y, that the words hold.
template <class X, class Y, class Sum>
inline auto packed_dot(unsigned int a, unsigned int b, int first_b, int count, Sum c) {
  for (int i = 0; i < count; ++i)
    c += static_cast<Sum>(static_cast<X>(a >> (8 * sizeof(X) * static_cast<unsigned>(i)))) *
         static_cast<Sum>(static_cast<Y>(b >> (8 * sizeof(Y) * static_cast<unsigned>(first_b + i))));
  return c;
}

}  // namespace workbook::sim

inline int __dp4a(int a, int b, int c) {
  return workbook::sim::packed_dot<std::int8_t, std::int8_t>(static_cast<unsigned int>(a),
                                                             static_cast<unsigned int>(b), 0, 4, c);
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return workbook::sim::packed_dot<std::uint8_t, std::uint8_t>(a, b, 0, 4, c);
}
inline int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + static_cast<unsigned int>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
inline int __dp2a_lo(int a, int b, int c) {
  return workbook::sim::packed_dot<std::int16_t, std::int8_t>(static_cast<unsigned int>(a),
                                                              static_cast<unsigned int>(b), 0, 2, c);
}
inline int __dp2a_hi(int a, int b, int c) {
  return workbook::sim::packed_dot<std::int16_t, std::int8_t>(static_cast<unsigned int>(a),
                                                              static_cast<unsigned int>(b), 2, 2, c);
}
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return workbook::sim::packed_dot<std::uint16_t, std::uint8_t>(a, b, 0, 2, c);
}
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return workbook::sim::packed_dot<std::uint16_t, std::uint8_t>(a, b, 2, 2, c);
}

// ---- rounding modes: rn to nearest even, rz towards zero, rd down, ru up

namespace workbook::sim {

/// operation(a, b, c) rounded as `mode` of <cfenv> says. The volatile operands keep the compiler, which takes
/// the rounding mode for constant, from computing before or after the mode is set.
template <class Result, class T, class Operation>
WORKBOOK_SIM_UNTRACED auto in_rounding_mode(int mode, T a, T b, T c, Operation operation) {
  const int before = std::fegetround();
  volatile T x = a, y = b, z = c;
  std::fesetround(mode);
  volatile Result result = operation(x, y, z);
  std::fesetround(before);
  return result;
}

/// A rounded number as an integer: out of range it saturates, as the hardware's conversion does; NaN becomes
/// 0 in 32 bits and only the highest bit set in 64.
template <class I, class F>
inline auto saturating_cast(F x) {
  if (std::isnan(x)) return sizeof(I) == 4 ? I{0} : static_cast<I>(std::uint64_t{1} << 63);
  constexpr F kLow = static_cast<F>(std::numeric_limits<I>::min());
  // The largest I may round up to a power of two that no I holds.
  constexpr F kEnd = static_cast<F>(std::numeric_limits<I>::max() / 2 + 1) * F{2};
  if (x <= kLow) return std::numeric_limits<I>::min();
  if (x >= kEnd) return std::numeric_limits<I>::max();
  return static_cast<I>(x);
}

}  // namespace workbook::sim

#define WORKBOOK_SIM_ROUNDED(SUFFIX, MODE)                                                                 \
  inline float __fadd_##SUFFIX(float a, float b) {                                                         \
    return workbook::sim::in_rounding_mode<float>(MODE, a, b, 0.0f,                                        \
                                                  [](float x, float y, float) { return x + y; });          \
  }                                                                                                        \
  inline float __fsub_##SUFFIX(float a, float b) { return __fadd_##SUFFIX(a, -b); }                        \
  inline float __fmul_##SUFFIX(float a, float b) {                                                         \
    return workbook::sim::in_rounding_mode<float>(MODE, a, b, 0.0f,                                        \
                                                  [](float x, float y, float) { return x * y; });          \
  }                                                                                                        \
  inline float __fdiv_##SUFFIX(float a, float b) {                                                         \
    return workbook::sim::in_rounding_mode<float>(MODE, a, b, 0.0f,                                        \
                                                  [](float x, float y, float) { return x / y; });          \
  }                                                                                                        \
  inline float __frcp_##SUFFIX(float a) { return __fdiv_##SUFFIX(1.0f, a); }                               \
  inline float __fmaf_##SUFFIX(float a, float b, float c) {                                                \
    return workbook::sim::in_rounding_mode<float>(                                                         \
        MODE, a, b, c, [](float x, float y, float z) { return std::fma(x, y, z); });                       \
  }                                                                                                        \
  inline float __fsqrt_##SUFFIX(float a) {                                                                 \
    return workbook::sim::in_rounding_mode<float>(MODE, a, 0.0f, 0.0f,                                     \
                                                  [](float x, float, float) { return std::sqrt(x); });     \
  }                                                                                                        \
  inline double __dadd_##SUFFIX(double a, double b) {                                                      \
    return workbook::sim::in_rounding_mode<double>(MODE, a, b, 0.0,                                        \
                                                   [](double x, double y, double) { return x + y; });      \
  }                                                                                                        \
  inline double __dsub_##SUFFIX(double a, double b) { return __dadd_##SUFFIX(a, -b); }                     \
  inline double __dmul_##SUFFIX(double a, double b) {                                                      \
    return workbook::sim::in_rounding_mode<double>(MODE, a, b, 0.0,                                        \
                                                   [](double x, double y, double) { return x * y; });      \
  }                                                                                                        \
  inline double __ddiv_##SUFFIX(double a, double b) {                                                      \
    return workbook::sim::in_rounding_mode<double>(MODE, a, b, 0.0,                                        \
                                                   [](double x, double y, double) { return x / y; });      \
  }                                                                                                        \
  inline double __drcp_##SUFFIX(double a) { return __ddiv_##SUFFIX(1.0, a); }                              \
  inline double __fma_##SUFFIX(double a, double b, double c) {                                             \
    return workbook::sim::in_rounding_mode<double>(                                                        \
        MODE, a, b, c, [](double x, double y, double z) { return std::fma(x, y, z); });                    \
  }                                                                                                        \
  inline double __dsqrt_##SUFFIX(double a) {                                                               \
    return workbook::sim::in_rounding_mode<double>(MODE, a, 0.0, 0.0,                                      \
                                                   [](double x, double, double) { return std::sqrt(x); }); \
  }
WORKBOOK_SIM_ROUNDED(rz, FE_TOWARDZERO)
WORKBOOK_SIM_ROUNDED(rd, FE_DOWNWARD)
WORKBOOK_SIM_ROUNDED(ru, FE_UPWARD)
#undef WORKBOOK_SIM_ROUNDED

// To nearest even is what the machine does anyway.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline float __frsqrt_rn(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline double __dsqrt_rn(double a) { return std::sqrt(a); }

// ---- conversions

#define WORKBOOK_SIM_TO_INTEGER(FLOAT, NAME, INTEGER)                                                      \
  inline INTEGER __##NAME##_rn(FLOAT x) {                                                                  \
    return workbook::sim::saturating_cast<INTEGER>(std::nearbyint(x));                                     \
  }                                                                                                        \
  inline INTEGER __##NAME##_rz(FLOAT x) { return workbook::sim::saturating_cast<INTEGER>(std::trunc(x)); } \
  inline INTEGER __##NAME##_rd(FLOAT x) { return workbook::sim::saturating_cast<INTEGER>(std::floor(x)); } \
  inline INTEGER __##NAME##_ru(FLOAT x) { return workbook::sim::saturating_cast<INTEGER>(std::ceil(x)); }
WORKBOOK_SIM_TO_INTEGER(float, float2int, int)
WORKBOOK_SIM_TO_INTEGER(float, float2uint, unsigned int)
WORKBOOK_SIM_TO_INTEGER(float, float2ll, long long)
WORKBOOK_SIM_TO_INTEGER(float, float2ull, unsigned long long)
WORKBOOK_SIM_TO_INTEGER(double, double2int, int)
WORKBOOK_SIM_TO_INTEGER(double, double2uint, unsigned int)
WORKBOOK_SIM_TO_INTEGER(double, double2ll, long long)
WORKBOOK_SIM_TO_INTEGER(double, double2ull, unsigned long long)
#undef WORKBOOK_SIM_TO_INTEGER

#define WORKBOOK_SIM_CONVERSION(NAME, FROM, TO, MODE)                                                  \
  inline TO NAME(FROM x) {                                                                             \
    return workbook::sim::in_rounding_mode<TO>(MODE, x, x, x,                                          \
                                               [](FROM v, FROM, FROM) { return static_cast<TO>(v); }); \
  }
#define WORKBOOK_SIM_CONVERSIONS(NAME, FROM, TO)                  \
  inline TO __##NAME##_rn(FROM x) { return static_cast<TO>(x); }  \
  WORKBOOK_SIM_CONVERSION(__##NAME##_rz, FROM, TO, FE_TOWARDZERO) \
  WORKBOOK_SIM_CONVERSION(__##NAME##_rd, FROM, TO, FE_DOWNWARD)   \
  WORKBOOK_SIM_CONVERSION(__##NAME##_ru, FROM, TO, FE_UPWARD)
WORKBOOK_SIM_CONVERSIONS(int2float, int, float)
WORKBOOK_SIM_CONVERSIONS(uint2float, unsigned int, float)
WORKBOOK_SIM_CONVERSIONS(ll2float, long long, float)
WORKBOOK_SIM_CONVERSIONS(ull2float, unsigned long long, float)
WORKBOOK_SIM_CONVERSIONS(ll2double, long long, double)
WORKBOOK_SIM_CONVERSIONS(ull2double, unsigned long long, double)
WORKBOOK_SIM_CONVERSIONS(double2float, double, float)
#undef WORKBOOK_SIM_CONVERSIONS
#undef WORKBOOK_SIM_CONVERSION
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned int x) { return x; }
