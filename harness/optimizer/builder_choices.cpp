// What the parser calls for signs, powers, comparisons and choices.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "optimizer/builder.h"
#include "optimizer/unary.h"

namespace workbook::opt {

Value Builder::negative(const Value& a) {
  if (a.node == -1 && a.extent < 0) return number(-a.number, "-" + a.symbol);
  return binary(Op::mul, a, number(-1.0, "-1"), 0);
}

Value Builder::minimum(const Value& a, const Value& b, IndexSet output) {
  return negative(binary(Op::max, negative(a), negative(b), output));
}

Value Builder::min_over(int index, const Value& a) { return negative(max_over(index, negative(a))); }

Value Builder::power(const Value& a, double exponent) {
  constexpr double kMostFactors = 16;
  if (a.node == -1) throw BuildError{"a power of a number alone: write the number"};
  if (exponent == 0.5) return unary(Base::sqrt, a);
  if (exponent == -0.5) return unary(Base::rsqrt, a);
  const double size = std::abs(exponent);
  if (size != std::floor(size) || size < 1 || size > kMostFactors) {
    const Value inner = unary(base_of("log"), a);
    return exponential(binary(Op::mul, inner, number(exponent, fmt::format("{}", exponent)), 0));
  }
  Value base, result;
  base.node = whole(a);
  for (int left = static_cast<int>(size); left > 0; left /= 2) {
    if (left % 2 == 1) result = result.node == -1 ? base : binary(Op::mul, result, base, 0);
    if (left > 1) base = binary(Op::mul, base, base, 0);
  }
  return exponent > 0 ? result : binary(Op::div, number(1.0, "1"), result, 0);
}

Value Builder::sign_of(Base base, const Value& a) {
  if (a.node == -1) throw BuildError{"two numbers are compared: write what comes of it"};
  return fold(base, a);
}

Value Builder::compared(std::string_view sign, const Value& a, const Value& b, IndexSet output) {
  const auto less = [&](const Value& from, const Value& what) {
    const bool zero = what.node == -1 && what.extent < 0 && what.number == 0.0;
    return zero ? from : binary(Op::sub, from, what, output);
  };
  if (sign == ">") return sign_of(base_of("positive"), less(a, b));
  if (sign == "<") return sign_of(base_of("positive"), less(b, a));
  if (sign == ">=") return sign_of(base_of("not_positive"), less(b, a));
  if (sign == "<=") return sign_of(base_of("not_positive"), less(a, b));
  return sign_of(base_of(sign == "==" ? "zero" : "not_zero"), less(a, b));
}

Value Builder::chosen(const Value& condition, const Value& a, const Value& b, IndexSet output) {
  if (condition.node == -1) throw BuildError{"a condition is a tensor, or compares such"};
  const auto is_number = [](const Value& value, double wanted) {
    return value.node == -1 && value.extent < 0 && value.number == wanted;
  };
  int of = whole(condition);
  Function kept;
  kept.base = base_of("not_zero");
  if (of >= 0 && made_[static_cast<std::size_t>(of)].op == Op::fn) {
    const Made made = made_[static_cast<std::size_t>(of)];
    const Function& known = graph_.functions[static_cast<std::size_t>(made.fn)];
    if (workbook::opt::unary(known.base).selects) kept = known, of = made.a;
  }
  Function other = kept;
  const std::pair<std::string_view, std::string_view> kOpposites[] = {{"positive", "not_positive"},
                                                                      {"zero", "not_zero"}};
  for (const auto& [one, two] : kOpposites) {
    if (kept.base == base_of(one)) other.base = base_of(two);
    if (kept.base == base_of(two)) other.base = base_of(one);
  }
  const auto where = [&](const Function& which) {
    Value value;
    value.node = make({Op::fn, of, -1, -1, function(which)}, 0);
    return value;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const bool turned : {false, true}) {
    if (!is_number(turned ? a : b, -kInfinity)) continue;
    Value result = turned ? b : a;
    require_whole(result);
    result.node = whole(result);
    result.times = result.plus = result.mean = -1;
    result.kept_by = where(turned ? other : kept).node;
    result.fresh = false;
    return result;
  }
  const auto part = [&](const Function& which, const Value& value) {
    return is_number(value, 1.0) ? where(which) : binary(Op::mul, where(which), value, output);
  };
  if (is_number(b, 0.0)) return part(kept, a);
  if (is_number(a, 0.0)) return part(other, b);
  return binary(Op::add, part(kept, a), part(other, b), output);
}

}  // namespace workbook::opt
