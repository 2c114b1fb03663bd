// Elements of tensors as bytes and as doubles: every type's values fit a double exactly (64-bit integers up
// to 2^53, which is more than any puzzle counts to).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "workbook/run.h"

namespace workbook::core {

using Bytes = std::vector<std::byte>;

/// "f32", "f16", "bf16", "i32", "u32", "u8", "i64": runs::TensorInfo::dtype.
std::string_view type_name(Type type);
std::size_t size_of(Type type);
bool is_integer(Type type);

/// The value of `type` nearest to `value`, ties to even; integers are rounded and clamped to their range.
double rounded(Type type, double value);

/// `value` must be one of the type's.
void store(Type type, std::span<std::byte> bytes, std::size_t element, double value);

/// Each of `values`, rounded(), from `element` on.
void store_rounded(Type type, std::span<std::byte> bytes, std::size_t element,
                   std::span<const double> values);

double load(Type type, std::span<const std::byte> bytes, std::size_t element);
std::vector<double> as_doubles(Type type, std::span<const std::byte> bytes);

/// What an element holds that nothing wrote: every bit set, NaN in a floating-point type.
inline constexpr std::byte kPoison{0xff};
bool is_poison(Type type, std::span<const std::byte> bytes, std::size_t element);

}  // namespace workbook::core
