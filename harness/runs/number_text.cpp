#include "runs/number_text.h"

#include <cmath>
#include <cstdio>
#include <iterator>

namespace workbook::runs {
namespace {

std::string with_decimals(double value, int decimals) {
  char text[400];  // the largest double has 309 digits
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

}  // namespace

std::string three_digits(double value) {
  const double size = std::fabs(value);
  return with_decimals(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string bytes_text(double bytes) {
  static constexpr const char* kUnits[] = {" B", " kB", " MB", " GB", " TB"};
  const char* const* unit = std::begin(kUnits);
  for (; std::fabs(bytes) >= 999.5 && unit + 1 != std::end(kUnits); ++unit) bytes /= 1000.0;
  return (unit == std::begin(kUnits) ? with_decimals(bytes, 0) : three_digits(bytes)) + *unit;
}

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes)
    text += (text.empty() ? "" : ", ") + name + ' ' + std::to_string(size);
  return text;
}

}  // namespace workbook::runs
