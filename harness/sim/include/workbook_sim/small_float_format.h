// Floating point numbers of 16 and 8 bits as bits: what half, bfloat16 and the 8 bit types share.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "attributes.h"
#include "intrinsics.h"

namespace workbook::sim {

struct HalfFormat {
  static constexpr int kExponentBits = 5, kMantissaBits = 10;
};
struct Bfloat16Format {
  static constexpr int kExponentBits = 8, kMantissaBits = 7;
};

enum class Rounding { nearest_even, towards_zero, down, up };

/// The magnitude of x as bits of a format with that many mantissa bits and that bias, by the definition: how
/// many quanta it is, rounded. Past the largest exponent it goes on counting; the caller says what that
/// means.
inline std::uint32_t quantised_magnitude(double x, int mantissa_bits, int bias, Rounding rounding) {
  if (x == 0.0) return 0;
  const int least_exponent = 1 - bias;
  int exponent = std::ilogb(x);
  if (exponent < least_exponent) exponent = least_exponent;
  const double quanta = std::ldexp(std::fabs(x), mantissa_bits - exponent);
  const bool away = (rounding == Rounding::up && x > 0.0) || (rounding == Rounding::down && x < 0.0);
  const double rounded = rounding == Rounding::nearest_even ? std::nearbyint(quanta)
                         : away                             ? std::ceil(quanta)
                                                            : std::floor(quanta);
  // A mantissa that rounds up to the next power of two carries into the exponent by itself.
  return (static_cast<std::uint32_t>(exponent - least_exponent) << mantissa_bits) +
         static_cast<std::uint32_t>(rounded);
}

/// A double as 16 bits, rounded once. NaN becomes 0x7fff, as on the hardware.
template <class Format>
inline std::uint16_t encode16(double x, Rounding rounding) {
  if (std::isnan(x)) return 0x7fff;
  constexpr int kBias = (1 << (Format::kExponentBits - 1)) - 1;
  constexpr std::uint32_t kInfinity = ((1u << Format::kExponentBits) - 1u) << Format::kMantissaBits;
  const bool negative = std::signbit(x);
  const std::uint32_t sign = negative ? 0x8000u : 0u;
  std::uint32_t bits = kInfinity;
  if (std::isfinite(x)) {
    bits = quantised_magnitude(x, Format::kMantissaBits, kBias, rounding);
    const bool keeps_finite = rounding == Rounding::towards_zero || (rounding == Rounding::up && negative) ||
                              (rounding == Rounding::down && !negative);
    if (bits >= kInfinity) bits = keeps_finite ? kInfinity - 1 : kInfinity;
  }
  return static_cast<std::uint16_t>(sign | bits);
}

/// The nearest 16 bits to a float, by integer arithmetic: the common case of the above.
inline std::uint16_t encode_half(float x) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return 0x7fff;
  if (bits >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 2^16 and more
  if (bits < 0x38800000u) {  // below 2^-14: adding 1/2 lets the machine round to quanta of 2^-24
    const float shifted = std::bit_cast<float>(bits) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  bits += 0xfffu + (bits >> 13 & 1u);
  return static_cast<std::uint16_t>(sign | ((bits >> 13) - (112u << 10)));
}

inline float decode_half(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  std::uint32_t magnitude = std::uint32_t{bits & 0x7fffu} << 13;
  // 2^112 moves the exponent's bias and makes subnormals normal; infinity and NaN need all exponent bits.
  const bool special = magnitude >= 31u << 23;
  magnitude = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  if (special) magnitude |= 0x7f800000u;
  return std::bit_cast<float>(sign | magnitude);
}

inline std::uint16_t encode_bfloat16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

inline float decode_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

/// An exact value = near + error as a float that rounds to 16 bits as the exact value does: rounding to odd,
/// so that no digit that was lost can look like a tie (Boldo and Melquiond, "Emulation of FMA and correctly
/// rounded sums", 2008).
inline float to_odd_float(double near, double error) {
  if (!std::isfinite(near)) return static_cast<float>(near);
  auto bits = std::bit_cast<std::int64_t>(near);
  if (error != 0.0 && (bits & 1) == 0) {  // near is even and inexact: its odd neighbour on error's side
    const bool grows = (error > 0.0) == (near > 0.0);
    bits += near == 0.0 ? 1 : grows ? 1 : -1;
  }
  const double odd = std::bit_cast<double>(bits);
  const float rounded = static_cast<float>(odd);
  if (!std::isfinite(rounded)) return rounded;
  const double back = static_cast<double>(rounded);
  auto word = std::bit_cast<std::uint32_t>(rounded);
  if (back == odd || (word & 1u) != 0) return rounded;
  if (std::fabs(back) > std::fabs(odd)) return std::bit_cast<float>(word - 1u);
  return std::bit_cast<float>(word + 1u);
}

inline float to_odd_float(double x) { return to_odd_float(x, 0.0); }

/// a * b + c of 16 bit numbers, as a float that rounds to 16 bits as the exact value does. The product is
/// exact in double; the sum's error is exact too (Knuth's two-sum).
inline float fused_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b), addend = static_cast<double>(c);
  const double sum = product + addend;
  const double from_addend = sum - product;
  const double error = (product - (sum - from_addend)) + (addend - from_addend);
  return std::isfinite(sum) ? to_odd_float(sum, error) : static_cast<float>(sum);
}

/// Integers of 64 bits as doubles that round to 16 bits as the integer does: the bits that do not fit are
/// gathered in the last one that does.
inline double to_odd_double(unsigned long long x) {
  if (x >> 53 != 0) x = (x & ~0x7ffull) | ((x & 0x7ffull) != 0 ? 0x800ull : 0ull);
  return static_cast<double>(x);
}
inline double to_odd_double(long long x) {
  const auto magnitude =
      x < 0 ? 0ull - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x);
  return x < 0 ? -to_odd_double(magnitude) : to_odd_double(magnitude);
}

/// A rounded float as an integer; out of range it saturates, and NaN becomes 0 (in 64 bits: only the highest
/// bit set).
template <class I>
WORKBOOK_SIM_INLINE auto truncated(float x) {
  if constexpr (sizeof(I) >= 4) {
    return saturating_cast<I>(x);
  } else {
    const int whole = saturating_cast<int>(x);
    constexpr int kLow = std::numeric_limits<I>::min(), kHigh = std::numeric_limits<I>::max();
    return static_cast<I>(whole < kLow ? kLow : whole > kHigh ? kHigh : whole);
  }
}

inline float not_negative(float x) { return x < 0.0f ? 0.0f : x; }
/// The larger number; the other one where one is NaN, and +0 is larger than -0.
inline float larger(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline float larger_or_nan(float a, float b) { return std::isnan(a) || std::isnan(b) ? NAN : larger(a, b); }

}  // namespace workbook::sim
