// One 16 bit floating point type and its vector of two: included once for half, once for bfloat16, with
//   WORKBOOK_SMALL, WORKBOOK_SMALL2   the types: __half, __half2
//   WORKBOOK_NAME, WORKBOOK_NAME2     how functions name them: half, half2
//   WORKBOOK_FORMAT                   HalfFormat
//   WORKBOOK_ENCODE, WORKBOOK_DECODE  encode_half, decode_half
//   WORKBOOK_TWICE                    __half2half2
//   WORKBOOK_OTHER                    the other type, which converts explicitly

#define WORKBOOK_JOIN_(A, B, C) A##B##C
#define WORKBOOK_JOIN(A, B, C) WORKBOOK_JOIN_(A, B, C)
#define WORKBOOK_RAW WORKBOOK_JOIN(WORKBOOK_SMALL, _, raw)
#define WORKBOOK_RAW2 WORKBOOK_JOIN(WORKBOOK_SMALL2, _, raw)

struct WORKBOOK_OTHER;
struct alignas(2) WORKBOOK_RAW {
  unsigned short x;
};
struct alignas(4) WORKBOOK_RAW2 {
  unsigned short x, y;
};

struct alignas(2) WORKBOOK_SMALL {
  WORKBOOK_SMALL() = default;
  constexpr WORKBOOK_SMALL(const WORKBOOK_RAW& raw) : __x(raw.x) {}
  explicit WORKBOOK_SMALL(WORKBOOK_OTHER value);
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(float value) : __x(workbook::sim::WORKBOOK_ENCODE(value)) {}
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(double value)
      : __x(workbook::sim::WORKBOOK_ENCODE(workbook::sim::to_odd_float(value))) {}
#define WORKBOOK_FROM_INTEGER(TYPE)                                  \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(TYPE value)                     \
      : __x(workbook::sim::encode16<workbook::sim::WORKBOOK_FORMAT>( \
            workbook::sim::to_odd_double(value), workbook::sim::Rounding::nearest_even)) {}
#define WORKBOOK_FROM_SMALL_INTEGER(TYPE) \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(TYPE value) : WORKBOOK_SMALL(static_cast<double>(value)) {}
  WORKBOOK_FROM_SMALL_INTEGER(short)
  WORKBOOK_FROM_SMALL_INTEGER(unsigned short)
  WORKBOOK_FROM_SMALL_INTEGER(int)
  WORKBOOK_FROM_SMALL_INTEGER(unsigned int)
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(long value) : WORKBOOK_SMALL(static_cast<long long>(value)) {}
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL(unsigned long value)
      : WORKBOOK_SMALL(static_cast<unsigned long long>(value)) {}
  WORKBOOK_FROM_INTEGER(long long)
  WORKBOOK_FROM_INTEGER(unsigned long long)
#undef WORKBOOK_FROM_INTEGER
#undef WORKBOOK_FROM_SMALL_INTEGER
#define WORKBOOK_ASSIGN(TYPE) \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL& operator=(TYPE value) { return *this = WORKBOOK_SMALL(value); }
  WORKBOOK_ASSIGN(const WORKBOOK_RAW&)
  WORKBOOK_ASSIGN(float)
  WORKBOOK_ASSIGN(double)
  WORKBOOK_ASSIGN(short)
  WORKBOOK_ASSIGN(unsigned short)
  WORKBOOK_ASSIGN(int)
  WORKBOOK_ASSIGN(unsigned int)
  WORKBOOK_ASSIGN(long long)
  WORKBOOK_ASSIGN(unsigned long long)
#undef WORKBOOK_ASSIGN

  constexpr operator WORKBOOK_RAW() const { return {__x}; }
  WORKBOOK_SIM_INLINE operator float() const { return workbook::sim::WORKBOOK_DECODE(__x); }
  constexpr operator bool() const { return (__x & 0x7fffu) != 0; }
#define WORKBOOK_TO_INTEGER(TYPE)                                     \
  WORKBOOK_SIM_INLINE operator TYPE() const {                         \
    return workbook::sim::truncated<TYPE>(static_cast<float>(*this)); \
  }
  WORKBOOK_TO_INTEGER(char)
  WORKBOOK_TO_INTEGER(signed char)
  WORKBOOK_TO_INTEGER(unsigned char)
  WORKBOOK_TO_INTEGER(short)
  WORKBOOK_TO_INTEGER(unsigned short)
  WORKBOOK_TO_INTEGER(int)
  WORKBOOK_TO_INTEGER(unsigned int)
  WORKBOOK_TO_INTEGER(long)
  WORKBOOK_TO_INTEGER(unsigned long)
  WORKBOOK_TO_INTEGER(long long)
  WORKBOOK_TO_INTEGER(unsigned long long)
#undef WORKBOOK_TO_INTEGER

  // libcu++ reaches for it by CUDA's name.
 protected:
  unsigned short __x;
};

struct alignas(4) WORKBOOK_SMALL2 {
  WORKBOOK_SMALL x;
  WORKBOOK_SIM_LAST_MEMBER(WORKBOOK_SMALL, y, unsigned short);
  WORKBOOK_SMALL2() = default;
  WORKBOOK_SIM_MOVES_WHOLE(WORKBOOK_SMALL2)
  constexpr WORKBOOK_SMALL2(const WORKBOOK_SMALL& a, const WORKBOOK_SMALL& b) : x(a), y(b) {}
  constexpr WORKBOOK_SMALL2(const WORKBOOK_RAW2& raw) : x(WORKBOOK_RAW{raw.x}), y(WORKBOOK_RAW{raw.y}) {}
  constexpr operator WORKBOOK_RAW2() const {
    return {static_cast<WORKBOOK_RAW>(x).x, static_cast<WORKBOOK_RAW>(y).x};
  }
};

// ---- conversions

#define WORKBOOK_NAMED(BEFORE, AFTER) WORKBOOK_JOIN(BEFORE, WORKBOOK_NAME, AFTER)
#define WORKBOOK_NAMED2(BEFORE, AFTER) WORKBOOK_JOIN(BEFORE, WORKBOOK_NAME2, AFTER)

WORKBOOK_SIM_INLINE float WORKBOOK_NAMED(__, 2float)(WORKBOOK_SMALL a) { return a; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__float2, )(float a) { return a; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__float2, _rn)(float a) { return a; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__double2, )(double a) { return a; }
#define WORKBOOK_FROM(PREFIX, TYPE, EXACT)                                                              \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(PREFIX, _rz)(TYPE a) {                              \
    return WORKBOOK_RAW{workbook::sim::encode16<workbook::sim::WORKBOOK_FORMAT>(                        \
        EXACT, workbook::sim::Rounding::towards_zero)};                                                 \
  }                                                                                                     \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(PREFIX, _rd)(TYPE a) {                              \
    return WORKBOOK_RAW{                                                                                \
        workbook::sim::encode16<workbook::sim::WORKBOOK_FORMAT>(EXACT, workbook::sim::Rounding::down)}; \
  }                                                                                                     \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(PREFIX, _ru)(TYPE a) {                              \
    return WORKBOOK_RAW{                                                                                \
        workbook::sim::encode16<workbook::sim::WORKBOOK_FORMAT>(EXACT, workbook::sim::Rounding::up)};   \
  }
#define WORKBOOK_FROM_INTEGER(PREFIX, TYPE, EXACT)                                                     \
  WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(PREFIX, _rn)(TYPE a) { return WORKBOOK_SMALL(a); } \
  WORKBOOK_FROM(PREFIX, TYPE, EXACT)
WORKBOOK_FROM(__float2, float, static_cast<double>(a))
WORKBOOK_FROM_INTEGER(__short2, short, static_cast<double>(a))
WORKBOOK_FROM_INTEGER(__ushort2, unsigned short, static_cast<double>(a))
WORKBOOK_FROM_INTEGER(__int2, int, static_cast<double>(a))
WORKBOOK_FROM_INTEGER(__uint2, unsigned int, static_cast<double>(a))
WORKBOOK_FROM_INTEGER(__ll2, long long, workbook::sim::to_odd_double(a))
WORKBOOK_FROM_INTEGER(__ull2, unsigned long long, workbook::sim::to_odd_double(a))
#undef WORKBOOK_FROM_INTEGER
#undef WORKBOOK_FROM

#define WORKBOOK_TO_INTEGER(SUFFIX, TYPE)                                      \
  WORKBOOK_SIM_INLINE TYPE WORKBOOK_NAMED(__, SUFFIX##_rz)(WORKBOOK_SMALL a) { \
    return workbook::sim::truncated<TYPE>(static_cast<float>(a));              \
  }
#define WORKBOOK_TO_INTEGERS(SUFFIX, TYPE)                                        \
  WORKBOOK_TO_INTEGER(SUFFIX, TYPE)                                               \
  WORKBOOK_SIM_INLINE TYPE WORKBOOK_NAMED(__, SUFFIX##_rn)(WORKBOOK_SMALL a) {    \
    return workbook::sim::truncated<TYPE>(std::nearbyint(static_cast<float>(a))); \
  }                                                                               \
  WORKBOOK_SIM_INLINE TYPE WORKBOOK_NAMED(__, SUFFIX##_rd)(WORKBOOK_SMALL a) {    \
    return workbook::sim::truncated<TYPE>(std::floor(static_cast<float>(a)));     \
  }                                                                               \
  WORKBOOK_SIM_INLINE TYPE WORKBOOK_NAMED(__, SUFFIX##_ru)(WORKBOOK_SMALL a) {    \
    return workbook::sim::truncated<TYPE>(std::ceil(static_cast<float>(a)));      \
  }
WORKBOOK_TO_INTEGER(2char, signed char)
WORKBOOK_TO_INTEGER(2uchar, unsigned char)
WORKBOOK_TO_INTEGERS(2short, short)
WORKBOOK_TO_INTEGERS(2ushort, unsigned short)
WORKBOOK_TO_INTEGERS(2int, int)
WORKBOOK_TO_INTEGERS(2uint, unsigned int)
WORKBOOK_TO_INTEGERS(2ll, long long)
WORKBOOK_TO_INTEGERS(2ull, unsigned long long)
#undef WORKBOOK_TO_INTEGERS
#undef WORKBOOK_TO_INTEGER

WORKBOOK_SIM_INLINE unsigned short WORKBOOK_NAMED(__, _as_ushort)(WORKBOOK_SMALL a) {
  return static_cast<WORKBOOK_RAW>(a).x;
}
WORKBOOK_SIM_INLINE short WORKBOOK_NAMED(__, _as_short)(WORKBOOK_SMALL a) {
  return static_cast<short>(static_cast<WORKBOOK_RAW>(a).x);
}
constexpr WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__ushort_as_, )(unsigned short bits) {
  return WORKBOOK_RAW{bits};
}
constexpr WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__short_as_, )(short bits) {
  return WORKBOOK_RAW{static_cast<unsigned short>(bits)};
}

// ---- vectors of two

WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(make_, )(WORKBOOK_SMALL a, WORKBOOK_SMALL b) {
  return {a, b};
}
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__float2, _rn)(float a) { return {a, a}; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__floats2, _rn)(float a, float b) { return {a, b}; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__float22, _rn)(float2 a) { return {a.x, a.y}; }
WORKBOOK_SIM_INLINE float2 WORKBOOK_NAMED(__, 22float2)(WORKBOOK_SMALL2 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_TWICE(WORKBOOK_SMALL a) { return {a, a}; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__halves2, )(WORKBOOK_SMALL a, WORKBOOK_SMALL b) {
  return {a, b};
}
WORKBOOK_SIM_INLINE float __low2float(WORKBOOK_SMALL2 a) { return a.x; }
WORKBOOK_SIM_INLINE float __high2float(WORKBOOK_SMALL2 a) { return a.y; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__low2, )(WORKBOOK_SMALL2 a) { return a.x; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL WORKBOOK_NAMED(__high2, )(WORKBOOK_SMALL2 a) { return a.y; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__low2, )(WORKBOOK_SMALL2 a) { return {a.x, a.x}; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__high2, )(WORKBOOK_SMALL2 a) { return {a.y, a.y}; }
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__lows2, )(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {
  return {a.x, b.x};
}
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 WORKBOOK_NAMED2(__highs2, )(WORKBOOK_SMALL2 a, WORKBOOK_SMALL2 b) {
  return {a.y, b.y};
}
WORKBOOK_SIM_INLINE WORKBOOK_SMALL2 __lowhigh2highlow(WORKBOOK_SMALL2 a) { return {a.y, a.x}; }

#include "small_float_functions.h"

#undef WORKBOOK_NAMED
#undef WORKBOOK_NAMED2
#undef WORKBOOK_RAW
#undef WORKBOOK_RAW2
#undef WORKBOOK_JOIN
#undef WORKBOOK_JOIN_
