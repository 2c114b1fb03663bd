#include "element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace workbook::core {
namespace {

/// Of a double that is not 0 or subnormal: value = m * 2^exponent with 1 <= |m| < 2.
int exponent_of(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1023;
}

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Rounds to a binary format with `fraction` bits behind the point and exponents from `lowest` to `highest`.
/// A double that is added to one whose last bit is worth 2^place is rounded to that, ties to even. Real
/// shapes have tens of millions of elements, so no library function is called for one.
double round_to_format(double value, int fraction, int lowest, int highest) {
  if (!std::isfinite(value)) return value;
  const int place = std::max(exponent_of(value), lowest) - fraction;
  const double coarse = 1.5 * power_of_two(place + 52);
  const double result = (std::abs(value) + coarse) - coarse;
  const bool fits = result < power_of_two(highest + 1);
  return std::copysign(fits ? result : std::numeric_limits<double>::infinity(), value);
}

double clamped(double value, double low, double high) {
  return std::isnan(value) ? 0.0 : std::clamp(std::nearbyint(value), low, high);
}

std::uint16_t half_bits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  const double size = std::abs(value);
  if (size < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(size * 0x1p24));
  // The exponent's bias is 15 and not 1023, and 10 of the 52 bits of the fraction are kept.
  return static_cast<std::uint16_t>(sign | ((std::bit_cast<std::uint64_t>(size) >> 42) - (1008u << 10)));
}

double half_value(std::uint16_t bits) {
  const std::uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  if (exponent == 0) return sign * (static_cast<double>(fraction) * 0x1p-24);
  return sign * std::bit_cast<double>((exponent + 1008) << 52 | fraction << 42);
}

template <class T>
void put(std::span<std::byte> bytes, std::size_t element, T value) {
  std::memcpy(bytes.data() + element * sizeof(T), &value, sizeof(T));
}

template <class T>
T get(std::span<const std::byte> bytes, std::size_t element) {
  T value;
  std::memcpy(&value, bytes.data() + element * sizeof(T), sizeof(T));
  return value;
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::f32:
      return "f32";
    case Type::f16:
      return "f16";
    case Type::bf16:
      return "bf16";
    case Type::i32:
      return "i32";
    case Type::u32:
      return "u32";
    case Type::u8:
      return "u8";
    case Type::i64:
      return "i64";
  }
  return "";
}

std::size_t size_of(Type type) {
  switch (type) {
    case Type::u8:
      return 1;
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::i64:
      return 8;
    default:
      return 4;
  }
}

bool is_integer(Type type) { return type != Type::f32 && type != Type::f16 && type != Type::bf16; }

double rounded(Type type, double value) {
  switch (type) {
    case Type::f32:
      return static_cast<double>(static_cast<float>(value));
    case Type::f16:
      return round_to_format(value, 10, -14, 15);
    case Type::bf16:
      return round_to_format(value, 7, -126, 127);
    case Type::i32:
      return clamped(value, -2147483648.0, 2147483647.0);
    case Type::u32:
      return clamped(value, 0.0, 4294967295.0);
    case Type::u8:
      return clamped(value, 0.0, 255.0);
    case Type::i64:
      return clamped(value, -0x1p53, 0x1p53);
  }
  return value;
}

void store(Type type, std::span<std::byte> bytes, std::size_t element, double value) {
  switch (type) {
    case Type::f32:
      return put(bytes, element, static_cast<float>(value));
    case Type::f16:
      return put(bytes, element, half_bits(value));
    case Type::bf16: {
      const auto wide = static_cast<float>(value);
      std::uint32_t bits = 0;
      std::memcpy(&bits, &wide, sizeof bits);
      return put(bytes, element, static_cast<std::uint16_t>(bits >> 16));
    }
    case Type::i32:
      return put(bytes, element, static_cast<std::int32_t>(value));
    case Type::u32:
      return put(bytes, element, static_cast<std::uint32_t>(value));
    case Type::u8:
      return put(bytes, element, static_cast<std::uint8_t>(value));
    case Type::i64:
      return put(bytes, element, static_cast<std::int64_t>(value));
  }
}

void store_rounded(Type type, std::span<std::byte> bytes, std::size_t element,
                   std::span<const double> values) {
  const auto each = [&](auto converted) {
    for (const double value : values) put(bytes, element++, converted(value));
  };
  switch (type) {  // outside of the loop: the compiler makes a loop without calls of each
    case Type::f32:
      return each([](double value) { return static_cast<float>(value); });
    case Type::f16:
      return each([](double value) { return half_bits(rounded(Type::f16, value)); });
    case Type::i32:
      return each([](double value) { return static_cast<std::int32_t>(rounded(Type::i32, value)); });
    default:
      for (const double value : values) store(type, bytes, element++, rounded(type, value));
  }
}

double load(Type type, std::span<const std::byte> bytes, std::size_t element) {
  switch (type) {
    case Type::f32:
      return static_cast<double>(get<float>(bytes, element));
    case Type::f16:
      return half_value(get<std::uint16_t>(bytes, element));
    case Type::bf16: {
      const std::uint32_t bits = std::uint32_t{get<std::uint16_t>(bytes, element)} << 16;
      float wide = 0.0f;
      std::memcpy(&wide, &bits, sizeof wide);
      return static_cast<double>(wide);
    }
    case Type::i32:
      return get<std::int32_t>(bytes, element);
    case Type::u32:
      return get<std::uint32_t>(bytes, element);
    case Type::u8:
      return get<std::uint8_t>(bytes, element);
    case Type::i64:
      return static_cast<double>(get<std::int64_t>(bytes, element));
  }
  return 0.0;
}

std::vector<double> as_doubles(Type type, std::span<const std::byte> bytes) {
  std::vector<double> values(bytes.size() / size_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = load(type, bytes, i);
  return values;
}

bool is_poison(Type type, std::span<const std::byte> bytes, std::size_t element) {
  const auto own = bytes.subspan(element * size_of(type), size_of(type));
  return std::all_of(own.begin(), own.end(), [](std::byte b) { return b == kPoison; });
}

}  // namespace workbook::core
