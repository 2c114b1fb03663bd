// Inline PTX on floating point numbers, and conversions: see ptx_functions.h. Approximations are computed
// exactly, as all fast math of the simulator.
#pragma once

#include "arithmetic.h"
#include "ptx_functions.h"

namespace workbook::sim::ptx {

template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto add_float(T a, T b) {
  return rounded<kRound>(a, b, T{}, [](T x, T y, T) -> T { return x + y; });
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto sub_float(T a, T b) {
  return rounded<kRound>(a, b, T{}, [](T x, T y, T) -> T { return x - y; });
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto mul_float(T a, T b) {
  return rounded<kRound>(a, b, T{}, [](T x, T y, T) -> T { return x * y; });
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto div_float(T a, T b) {
  return rounded<kRound>(a, b, T{}, [](T x, T y, T) -> T { return x / y; });
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto fma(T a, T b, T c) {
  return rounded<kRound>(a, b, c, [](T x, T y, T z) -> T { return std::fma(x, y, z); });
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto rcp(T a) {
  return div_float<T, kRound>(T{1}, a);
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto sqrt(T a) {
  return rounded<kRound>(a, T{}, T{}, [](T x, T, T) -> T { return std::sqrt(x); });
}
template <class T>
WORKBOOK_SIM_INLINE auto rsqrt(T a) {
  return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
}
#define WORKBOOK_PTX_MATH(NAME, EXPRESSION) \
  template <class T>                        \
  WORKBOOK_SIM_INLINE auto NAME(T a) {      \
    return EXPRESSION;                      \
  }
WORKBOOK_PTX_MATH(sin, std::sin(a))
WORKBOOK_PTX_MATH(cos, std::cos(a))
WORKBOOK_PTX_MATH(lg2, std::log2(a))
WORKBOOK_PTX_MATH(ex2, std::exp2(a))
WORKBOOK_PTX_MATH(tanh, std::tanh(a))
WORKBOOK_PTX_MATH(is_finite, static_cast<bool>(std::isfinite(a)))
WORKBOOK_PTX_MATH(is_infinite, static_cast<bool>(std::isinf(a)))
WORKBOOK_PTX_MATH(is_number, !std::isnan(a))
WORKBOOK_PTX_MATH(is_nan, static_cast<bool>(std::isnan(a)))
#undef WORKBOOK_PTX_MATH
/// PTX names the sign first.
template <class T>
WORKBOOK_SIM_INLINE auto copysign(T sign, T size) {
  return std::copysign(size, sign);
}
/// The other one where one is NaN; -0 is smaller than +0.
template <class T>
WORKBOOK_SIM_INLINE auto min_float(T a, T b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) || a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T>
WORKBOOK_SIM_INLINE auto max_float(T a, T b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) || a > b || (a == b && !std::signbit(a)) ? a : b;
}
template <class T>
WORKBOOK_SIM_INLINE auto min_nan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : min_float(a, b);
}
template <class T>
WORKBOOK_SIM_INLINE auto max_nan(T a, T b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<T>::quiet_NaN() : max_float(a, b);
}

// ---- numbers of 16 bits, one or two in a register

WORKBOOK_SIM_INLINE float widened(f16 x) { return decode_half(x.bits); }
WORKBOOK_SIM_INLINE float widened(bf16 x) { return decode_bfloat16(x.bits); }
template <class T>
WORKBOOK_SIM_INLINE auto narrowed(float x) {
  if constexpr (std::is_same_v<T, f16>)
    return f16{encode_half(x)};
  else
    return bf16{encode_bfloat16(x)};
}
template <class T>
inline constexpr bool kIsPair = std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2>;
template <class T, class Operation>
WORKBOOK_SIM_INLINE auto by_small(Operation operation, T a, T b, T c) {
  const auto one = [&](auto x, auto y, auto z) {
    return narrowed<decltype(x)>(operation(widened(x), widened(y), widened(z)));
  };
  if constexpr (kIsPair<T>)
    return T{one(a.low, b.low, c.low), one(a.high, b.high, c.high)};
  else
    return one(a, b, c);
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto fma_small(T a, T b, T c) {
  static_assert(kRound == Round::rn, "16-bit numbers are rounded to nearest");
  return by_small([](float x, float y, float z) { return fused_to_odd(x, y, z); }, a, b, c);
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto add_small(T a, T b) {
  return by_small([](float x, float y, float) { return fused_to_odd(x, 1.0f, y); }, a, b, b);
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto sub_small(T a, T b) {
  return by_small([](float x, float y, float) { return fused_to_odd(y, -1.0f, x); }, a, b, b);
}
template <class T, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto mul_small(T a, T b) {
  return by_small([](float x, float y, float) { return fused_to_odd(x, y, -0.0f); }, a, b, b);
}
template <class T>
WORKBOOK_SIM_INLINE auto min_small(T a, T b) {
  return by_small([](float x, float y, float) { return min_float(x, y); }, a, b, b);
}
template <class T>
WORKBOOK_SIM_INLINE auto max_small(T a, T b) {
  return by_small([](float x, float y, float) { return max_float(x, y); }, a, b, b);
}

/// Into [0, 1], NaN to 0.
template <class T>
WORKBOOK_SIM_INLINE auto saturate(T x) {
  const auto kept = [](auto v) { return v > 0 ? (v < 1 ? v : decltype(v){1}) : decltype(v){0}; };
  if constexpr (std::is_floating_point_v<T>)
    return kept(x);
  else
    return by_small([&](float v, float, float) { return kept(v); }, x, x, x);
}

// ---- conversions

/// To a whole number, still of its type.
template <Round kRound, class T>
WORKBOOK_SIM_INLINE auto whole(T x) {
  if constexpr (kRound == Round::rzi)
    return std::trunc(x);
  else if constexpr (kRound == Round::rmi)
    return std::floor(x);
  else if constexpr (kRound == Round::rpi)
    return std::ceil(x);
  else
    return std::nearbyint(x);
}
template <class D, class S, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto cvt(S x) {
  constexpr bool kSmallFrom = std::is_same_v<S, f16> || std::is_same_v<S, bf16>;
  constexpr bool kSmallTo = std::is_same_v<D, f16> || std::is_same_v<D, bf16>;
  if constexpr (kSmallFrom && std::is_same_v<D, S>) {
    return narrowed<D>(whole<kRound>(widened(x)));
  } else if constexpr (kSmallFrom) {
    return cvt<D, f32, kRound>(widened(x));
  } else if constexpr (kSmallTo) {
    using Format = std::conditional_t<std::is_same_v<D, f16>, HalfFormat, Bfloat16Format>;
    constexpr Rounding kTo = kRound == Round::rz   ? Rounding::towards_zero
                             : kRound == Round::rm ? Rounding::down
                             : kRound == Round::rp ? Rounding::up
                                                   : Rounding::nearest_even;
    return D{encode16<Format>(static_cast<double>(x), kTo)};
  } else if constexpr (std::is_floating_point_v<D> && std::is_same_v<D, S>) {
    return kRound >= Round::rni ? whole<kRound>(x) : x;
  } else if constexpr (std::is_floating_point_v<D>) {
    if constexpr (kRound == Round::rn || sizeof(D) > sizeof(S))
      return static_cast<D>(x);
    else
      return in_rounding_mode<D>(mode_of(kRound), x, x, x, [](S v, S, S) { return static_cast<D>(v); });
  } else if constexpr (std::is_floating_point_v<S>) {
    using Wide = std::conditional_t<sizeof(D) == 8, D, std::conditional_t<std::is_signed_v<D>, s32, u32>>;
    return kept_in<D>(saturated<Wide>(whole<kRound>(x)));
  } else {
    return static_cast<D>(x);
  }
}
template <class D, class S, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto cvt_sat(S x) {
  if constexpr (std::is_integral_v<S>)
    return kept_in<D>(x);
  else
    return cvt<D, S, kRound>(x);
}
/// The first becomes the higher half.
template <class D, class S, Round kRound = Round::rn>
WORKBOOK_SIM_INLINE auto cvt_two(S high, S low) {
  using One = decltype(D::low);
  return D{cvt<One, S, kRound>(low), cvt<One, S, kRound>(high)};
}

}  // namespace workbook::sim::ptx
