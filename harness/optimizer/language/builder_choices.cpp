// What the parser calls for signs, powers, comparisons and choices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/graph/unary.h"
#include "optimizer/language/builder.h"

namespace workbook::opt {

Value Builder::negative(const Value& a) {
  if (auto straight = line_of(a); straight && (a.extent >= 0 || !a.placed.empty())) {
    for (Placed::Term& term : straight->terms) term.times = -term.times;
    straight->plus = -straight->plus;
    Value result;
    result.placed = {*straight};
    return result;
  }
  if (is_number(a)) {
    Value result = a.steps.empty() ? number(-a.number, "") : joined_numbers(Op::mul, a, number(-1.0, "-1"));
    result.symbol = "-" + a.symbol;
    return result;
  }
  return binary(Op::mul, a, number(-1.0, "-1"), 0);
}

Value Builder::minimum(const Value& a, const Value& b, IndexSet output) {
  return negative(binary(Op::max, negative(a), negative(b), output));
}

Value Builder::min_over(int index, const Value& a) { return negative(max_over(index, negative(a))); }

Value Builder::power(const Value& a, const Value& by) {
  constexpr double kMostFactors = 16;
  if (!is_number(by) || !by.steps.empty()) {
    if (!is_number(a) || !a.steps.empty() || !(a.number > 0.0))
      throw BuildError{
          "an exponent is a number; of an x that is positive, x to the power of p is exp(p * log(x))"};
    return exponential(binary(Op::mul, by, unary(base_of("log"), a), 0));
  }
  const double exponent = by.number;
  if (a.extent >= 0) return power(size(a.extent), by);
  if (is_number(a) && a.steps.empty())
    return number(std::pow(a.number, exponent), "(" + a.symbol + "**" + by.symbol + ")");
  if (exponent == 0.5) return unary(Base::sqrt, a);
  if (exponent == -0.5) return unary(Base::rsqrt, a);
  const double size = std::abs(exponent);
  if (exponent == 0.0) throw BuildError{"a power of 0 is 1: write that"};
  if (size != std::floor(size) || size > kMostFactors) {
    const Value inner = unary(base_of("log"), a);
    return exponential(binary(Op::mul, inner, number(exponent, fmt::format("{}", exponent)), 0));
  }
  Value base = a, result;
  if (!is_number(a)) {
    base = {};
    base.node = whole(a);
  }
  for (int left = static_cast<int>(size); left > 0; left /= 2) {
    if (left % 2 == 1)
      result = result.symbol.empty() && result.node == -1 ? base : binary(Op::mul, result, base, 0);
    if (left > 1) base = binary(Op::mul, base, base, 0);
  }
  return exponent > 0 ? result : binary(Op::div, number(1.0, "1"), result, 0);
}

Value Builder::rounded_down(const Value& a, const Value& b, IndexSet output) {
  const Value above = a.extent >= 0 ? place(a.extent) : a;
  return unary(base_of("floor"), binary(Op::div, above, b, output));
}

Value Builder::remainder(const Value& a, const Value& b, IndexSet output) {
  const Value above = a.extent >= 0 ? place(a.extent) : a, below = b.extent >= 0 ? size(b.extent) : b;
  return binary(Op::sub, above, binary(Op::mul, rounded_down(above, below, output), below, output), output);
}

Value Builder::opposite_of(const Value& condition) {
  if (condition.node == -1 && condition.placed.empty())
    throw BuildError{"a condition is a tensor, or compares such"};
  return condition_of(condition, false);
}

IndexSet Builder::indices_of(const Value& value) const {
  IndexSet set = 0;
  for (const Placed& each : value.placed) set |= each.set();
  for (const int factor : value.factors) set |= shape(factor);
  return value.node == kProduct || value.node == -1 ? set : shape(value.node);
}

Value Builder::sign_of(Base base, const Value& a) {
  if (is_number(a)) throw BuildError{"two numbers are compared: write what comes of it"};
  return fold(base, a);
}

Value Builder::compared(std::string_view sign, const Value& a, const Value& b, IndexSet output) {
  if (auto placed = compared_places(sign, a, b)) return *placed;
  const auto less = [&](const Value& from, const Value& what) {
    const bool zero = is_number(what) && what.steps.empty() && what.number == 0.0;
    return zero ? from : binary(Op::sub, from, what, output);
  };
  if (sign == ">") return sign_of(base_of("positive"), less(a, b));
  if (sign == "<") return sign_of(base_of("positive"), less(b, a));
  if (sign == ">=") return sign_of(base_of("not_positive"), less(b, a));
  if (sign == "<=") return sign_of(base_of("not_positive"), less(a, b));
  return sign_of(base_of(sign == "==" ? "zero" : "not_zero"), less(a, b));
}

Value Builder::condition_of(const Value& value, bool holds) {
  if (!value.placed.empty() && std::all_of(value.placed.begin(), value.placed.end(),
                                           [](const Placed& each) { return each.is_condition(); })) {
    if (holds) return value;
    if (value.placed.size() == 1) {
      Value result;
      result.placed = {opposite(value.placed.front())};
      return result;
    }
  }
  int of = whole(value);
  Function kept;
  kept.base = base_of("not_zero");
  if (of >= 0 && made_[static_cast<std::size_t>(of)].op == Op::fn) {
    const Made made = made_[static_cast<std::size_t>(of)];
    const Function& known = graph_.functions[static_cast<std::size_t>(made.fn)];
    if (workbook::opt::unary(known.base).selects) kept = known, of = made.a;
  }
  const std::pair<std::string_view, std::string_view> kOpposites[] = {{"positive", "not_positive"},
                                                                      {"zero", "not_zero"}};
  const Base base = kept.base;
  for (const auto& [one, two] : kOpposites) {
    if (!holds && base == base_of(one)) kept.base = base_of(two);
    if (!holds && base == base_of(two)) kept.base = base_of(one);
  }
  Value result;
  result.node = make({Op::fn, of, -1, -1, function(kept)}, 0);
  return result;
}

/// `kept` or minus infinity: where places decide, a mask is added; else exp is multiplied by what decides.
Value Builder::hidden(const Value& condition, const Value& kept, IndexSet output) {
  Value result = kept;
  result.kept_by.clear();
  for (const Placed& each : condition.placed) {
    Value mask;
    mask.placed = {each};
    mask.placed.front().hides = true;
    const bool nothing = is_number(result) && result.steps.empty() && result.number == 0.0;
    result = nothing ? mask : binary(Op::add, result, mask, output);
  }
  if (condition.placed.empty()) {
    result.node = whole(result);
    result.times = result.plus = result.mean = -1;
    result.placed.clear();
  }
  result.kept_by = kept.kept_by;
  if (condition.placed.empty()) result.kept_by.push_back(condition.node);
  result.fresh = false;
  return result;
}

Value Builder::chosen(const Value& condition, const Value& a, const Value& b, IndexSet output) {
  if (condition.node == -1 && condition.placed.empty())
    throw BuildError{"a condition is a tensor, or compares such"};
  const auto is = [](const Value& value, double wanted) {
    return is_number(value) && value.steps.empty() && value.number == wanted;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const bool turned : {false, true}) {
    if (!is(turned ? a : b, -kInfinity)) continue;
    return hidden(condition_of(condition, !turned), turned ? b : a, output);
  }
  const auto part = [&](bool holds, const Value& value) {
    const Value kept = condition_of(condition, holds);
    return is(value, 1.0) ? kept : binary(Op::mul, kept, value, output);
  };
  if (is(b, 0.0)) return part(true, a);
  if (is(a, 0.0)) return part(false, b);
  return binary(Op::add, part(true, a), part(false, b), output);
}

}  // namespace workbook::opt
