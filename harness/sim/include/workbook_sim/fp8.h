// 8 bit floating point: e4m3 (no infinity, 448 at most) and e5m2 (57344 at most), as storage and conversions.
// The formats are those of "FP8 Formats for Deep Learning" (Micikevicius et al., 2022).
#pragma once

#include <cstdint>

#include "small_float_format.h"

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

namespace workbook::sim {

inline unsigned char encode_fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  if (std::isnan(x)) return 0x7f;
  const bool e4m3 = kind == __NV_E4M3;
  const std::uint32_t sign = std::signbit(x) ? 0x80u : 0u, most = e4m3 ? 0x7eu : 0x7bu;
  std::uint32_t bits = most + 1;
  if (std::isfinite(x)) bits = quantised_magnitude(x, e4m3 ? 3 : 2, e4m3 ? 7 : 15, Rounding::nearest_even);
  // Past the largest comes NaN in e4m3, infinity in e5m2.
  if (bits > most) bits = saturation == __NV_SATFINITE ? most : e4m3 ? 0x7fu : 0x7cu;
  return static_cast<unsigned char>(sign | bits);
}

inline float decode_fp8(unsigned char bits, __nv_fp8_interpretation_t kind) {
  const bool e4m3 = kind == __NV_E4M3;
  const int mantissa_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int exponent = (bits & 0x7f) >> mantissa_bits, mantissa = bits & ((1 << mantissa_bits) - 1);
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (e4m3 ? (bits & 0x7f) == 0x7f : exponent == 31 && mantissa != 0) return NAN;
  if (!e4m3 && exponent == 31) return sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissa_bits);
  return sign *
         std::ldexp(static_cast<float>(mantissa + (1 << mantissa_bits)), exponent - bias - mantissa_bits);
}

}  // namespace workbook::sim

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
  return workbook::sim::encode_fp8(x, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t kind) {
  return workbook::sim::encode_fp8(static_cast<double>(x), saturation, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.x, saturation, kind) |
                                           __nv_cvt_float_to_fp8(x.y, saturation, kind) << 8);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half(x), saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturation, kind);
}
/// Exact: half holds every number of both formats.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(workbook::sim::decode_fp8(x, kind));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2(workbook::sim::decode_fp8(static_cast<unsigned char>(x), kind),
                 workbook::sim::decode_fp8(static_cast<unsigned char>(x >> 8), kind));
}

// The types: one number, and vectors of two and four that are one access.
#define WORKBOOK_FP8(NAME, NAME2, NAME4, KIND)                                                               \
  struct alignas(1) NAME {                                                                                   \
    __nv_fp8_storage_t __x;                                                                                  \
    NAME() = default;                                                                                        \
    WORKBOOK_SIM_INLINE explicit NAME(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, KIND)) {}      \
    WORKBOOK_SIM_INLINE explicit NAME(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, KIND)) {}    \
    WORKBOOK_SIM_INLINE explicit NAME(__half x) : NAME(static_cast<float>(x)) {}                             \
    WORKBOOK_SIM_INLINE explicit NAME(__nv_bfloat16 x) : NAME(static_cast<float>(x)) {}                      \
    WORKBOOK_SIM_INLINE explicit NAME(int x) : NAME(static_cast<double>(x)) {}                               \
    WORKBOOK_SIM_INLINE explicit NAME(unsigned int x) : NAME(static_cast<double>(x)) {}                      \
    WORKBOOK_SIM_INLINE explicit operator float() const { return workbook::sim::decode_fp8(__x, KIND); }     \
    WORKBOOK_SIM_INLINE explicit operator double() const {                                                   \
      return static_cast<double>(workbook::sim::decode_fp8(__x, KIND));                                      \
    }                                                                                                        \
    WORKBOOK_SIM_INLINE explicit operator __half() const { return __half(static_cast<float>(*this)); }       \
    WORKBOOK_SIM_INLINE explicit operator __nv_bfloat16() const {                                            \
      return __nv_bfloat16(static_cast<float>(*this));                                                       \
    }                                                                                                        \
    WORKBOOK_SIM_INLINE explicit operator bool() const { return (__x & 0x7f) != 0; }                         \
  };                                                                                                         \
  struct alignas(2) NAME2 {                                                                                  \
    __nv_fp8x2_storage_t __x;                                                                                \
    NAME2() = default;                                                                                       \
    WORKBOOK_SIM_INLINE explicit NAME2(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {} \
    WORKBOOK_SIM_INLINE explicit operator float2() const {                                                   \
      return make_float2(workbook::sim::decode_fp8(static_cast<unsigned char>(__x), KIND),                   \
                         workbook::sim::decode_fp8(static_cast<unsigned char>(__x >> 8), KIND));             \
    }                                                                                                        \
    WORKBOOK_SIM_INLINE explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, KIND); }  \
  };                                                                                                         \
  struct alignas(4) NAME4 {                                                                                  \
    __nv_fp8x4_storage_t __x;                                                                                \
    NAME4() = default;                                                                                       \
    WORKBOOK_SIM_INLINE explicit NAME4(float4 x)                                                             \
        : __x(static_cast<__nv_fp8x4_storage_t>(                                                             \
              __nv_cvt_float2_to_fp8x2(make_float2(x.x, x.y), __NV_SATFINITE, KIND) |                        \
              static_cast<unsigned int>(                                                                     \
                  __nv_cvt_float2_to_fp8x2(make_float2(x.z, x.w), __NV_SATFINITE, KIND))                     \
                  << 16)) {}                                                                                 \
    WORKBOOK_SIM_INLINE explicit operator float4() const {                                                   \
      return make_float4(workbook::sim::decode_fp8(static_cast<unsigned char>(__x), KIND),                   \
                         workbook::sim::decode_fp8(static_cast<unsigned char>(__x >> 8), KIND),              \
                         workbook::sim::decode_fp8(static_cast<unsigned char>(__x >> 16), KIND),             \
                         workbook::sim::decode_fp8(static_cast<unsigned char>(__x >> 24), KIND));            \
    }                                                                                                        \
  };
WORKBOOK_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
WORKBOOK_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef WORKBOOK_FP8
