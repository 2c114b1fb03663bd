// Numbers of a declaration that depend on the sizes: budgets, tolerances, refusals (puzzle.h).
#pragma once

#include <cmath>
#include <functional>
#include <type_traits>
#include <utility>

#include "workbook/dims.h"

namespace workbook {

/// A number, or one for each set of sizes:
///   Bound("2*N")                        an expression of sizes as in a tensor's shape, in whole numbers
///   H / kTile + 2.0                     with const Bound H = "H": made of others, in double
///   [](const Dims& dims) { return ... }  where neither will do
class Bound {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number> Bound(Number value)  // NOLINT: all of them stand in initialisers
      : of_([number = static_cast<double>(value)](const Dims&) { return number; }) {}
  /// What is wrong with the expression is thrown when it is computed, as std::invalid_argument.
  Bound(const char* expression);  // NOLINT: defined in harness/core/expression.cpp
  template <class Function>
  requires std::is_invocable_r_v<double, Function, const Dims&> Bound(Function function)  // NOLINT
      : of_(std::move(function)) {}

  /// Throws std::out_of_range or std::invalid_argument naming a dimension that is not there.
  double operator()(const Dims& dims) const { return of_(dims); }

 private:
  std::function<double(const Dims&)> of_;
};

/// `operation` of what both are.
template <class Operation>
Bound combined(Bound a, Bound b, Operation operation) {
  return [=](const Dims& dims) { return static_cast<double>(operation(a(dims), b(dims))); };
}

inline Bound operator+(Bound a, Bound b) { return combined(a, b, std::plus<>()); }
inline Bound operator-(Bound a, Bound b) { return combined(a, b, std::minus<>()); }
inline Bound operator*(Bound a, Bound b) { return combined(a, b, std::multiplies<>()); }
inline Bound operator/(Bound a, Bound b) { return combined(a, b, std::divides<>()); }
/// What is left of a division: H % 4.
inline Bound operator%(Bound a, Bound b) {
  return combined(a, b, [](double x, double y) { return std::fmod(x, y); });
}
/// 1 where it holds, else 0.
inline Bound operator>(Bound a, Bound b) { return combined(a, b, std::greater<>()); }
inline Bound operator||(Bound a, Bound b) { return combined(a, b, std::logical_or<>()); }
inline Bound ceil(Bound a) {
  return [=](const Dims& dims) { return std::ceil(a(dims)); };
}
inline Bound floor(Bound a) {
  return [=](const Dims& dims) { return std::floor(a(dims)); };
}
inline Bound sqrt(Bound a) {
  return [=](const Dims& dims) { return std::sqrt(a(dims)); };
}
inline Bound pow(Bound a, double exponent) {
  return [=](const Dims& dims) { return std::pow(a(dims), exponent); };
}

}  // namespace workbook
