// The elements of a tensor sorted into right, wrong and never written: what those who look for a pattern in
// them go by (diagnose.cpp, moved.cpp, formula.cpp, places.cpp).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "diagnose.h"
#include "element.h"

namespace workbook::core {

/// What a result of the size 1 may be off by its own rounding and that of an operation before it.
inline double rounding_of(Type type) {
  if (is_integer(type)) return 0.0;
  return type == Type::f32 ? 0x1p-22 : type == Type::f16 ? 0x1p-10 : 0x1p-7;
}

class Evidence {
 public:
  explicit Evidence(const Suspicion& suspicion) : s(suspicion), name(suspicion.tensor.name) {
    for (std::size_t i = 0; i < s.expected.size(); ++i) {
      if (right(i, s.expected[i])) continue;
      wrong.push_back(i);
      if (!s.got.was_written(i))
        unwritten.push_back(i);
      else if (std::isfinite(got(i)))
        computed.push_back(i);
    }
  }

  std::size_t size() const { return s.expected.size(); }
  double got(std::size_t i) const { return s.got.values[i]; }
  bool right(std::size_t i, double value) const { return s.allowed.accepts(got(i), value); }
  /// How far off `value` a result of that size may be: the tolerance is meant for what is expected, and a
  /// mistake's values may be larger, with larger roundings.
  double room(double value) const { return s.allowed.at(value) + rounding_ * std::abs(value); }
  bool near(std::size_t i, double value) const { return std::abs(got(i) - value) <= room(value); }
  std::string at(std::size_t i) const { return element_name(name, index_of(i, s.shape)); }
  std::size_t row() const { return static_cast<std::size_t>(s.shape.back()); }
  /// Whether `positions` are all from `first` to the end.
  bool is_tail(const std::vector<std::size_t>& positions) const {
    return !positions.empty() && positions.front() + positions.size() == size();
  }

  const Suspicion& s;
  std::string name;
  std::vector<std::size_t> wrong, unwritten;  ///< positions, ascending
  std::vector<std::size_t> computed;          ///< wrong ones that were written and are numbers

 private:
  double rounding_ = rounding_of(s.tensor.type);
};

/// "120 of the 128 wrong elements are ..." or "each wrong element is ...".
std::string subject_of(const Evidence& evidence, std::size_t count);

/// What the elements of the tensor are called where any of them is meant: "i", or "r" and "c".
std::vector<std::string> index_names(std::size_t dimensions);

}  // namespace workbook::core
