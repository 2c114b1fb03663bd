#include "model/format.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "runs/number_text.h"

namespace workbook::viewer {
namespace {

// printf into a string: fmt would be one more dependency for nine one-line formats.
template <class... Args>
std::string print(const char* format, Args... args) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, args...);
  return buffer.data();
}

}  // namespace

std::string format_count(std::int64_t value) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(digits.begin() + at, ',');
  return value < 0 ? std::string("−").append(digits) : digits;
}

std::string format_bytes(std::int64_t bytes) { return runs::bytes_text(static_cast<double>(bytes)); }

std::string format_us(double microseconds) {
  if (microseconds > 0.0 && microseconds < 0.005) return "<0.01 µs";
  if (std::fabs(microseconds) >= 999'500.0) return runs::three_digits(microseconds / 1e6) + " s";
  if (std::fabs(microseconds) >= 999.5) return runs::three_digits(microseconds / 1e3) + " ms";
  return runs::three_digits(microseconds) + " µs";
}

std::string format_number(double value) {
  if (std::fabs(value) < 999.5)
    return value == std::floor(value) ? print("%.0f", value) : runs::three_digits(value);
  if (std::fabs(value) < 99'999.5) return format_count(std::llround(value));
  static constexpr const char* kPrefixes[] = {" k", " M", " G", " T"};
  const char* const* prefix = std::begin(kPrefixes);
  for (value /= 1000.0; std::fabs(value) >= 999.5 && prefix + 1 != std::end(kPrefixes); ++prefix)
    value /= 1000.0;
  return runs::three_digits(value) + *prefix;
}

std::string format_ratio(double ratio) {
  return print(ratio >= 9.95 ? "%.0fx" : ratio >= 0.995 ? "%.1fx" : "%.2fx", ratio);
}

std::string format_dim3(const runs::Dim3& dim) {
  std::string text = "(";
  text += std::to_string(dim.x);
  if (dim.y > 1 || dim.z > 1) text.append(",").append(std::to_string(dim.y));
  if (dim.z > 1) text.append(",").append(std::to_string(dim.z));
  return text.append(")");
}

std::string format_position(const runs::Dim3& at, const runs::Dim3& extent) {
  std::string text = "(";
  text += std::to_string(at.x);
  if (extent.y > 1 || extent.z > 1) text.append(",").append(std::to_string(at.y));
  if (extent.z > 1) text.append(",").append(std::to_string(at.z));
  return text.append(")");
}

std::string format_shape(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    if (text.size() > 1) text += ',';
    text += std::to_string(extent);
  }
  return text + "]";
}

std::string format_line(const runs::SourceLine& at) {
  if (at.file.empty() || at.line == 0) return "unknown line";
  return at.file.substr(at.file.find_last_of('/') + 1) + ":" + std::to_string(at.line);
}

std::string shape_words(const std::string& benchmark) {
  return benchmark == "program" ? "whole program" : benchmark + " shape";
}

std::string short_kernel(const std::string& name) {
  constexpr std::string_view suffix = "_kernel";
  return name.size() > suffix.size() && name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size())
                                                               : name;
}

std::string plural(std::int64_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  const bool hissing = noun.ends_with("ch") || noun.ends_with("s");
  return format_count(count) + " " + noun + (hissing ? "es" : "s");
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string lowercase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace workbook::viewer
