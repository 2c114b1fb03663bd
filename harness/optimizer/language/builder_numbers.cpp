// What the parser calls for numbers, of which some follow from extents, and for products that wait for a sum.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"
#include "optimizer/language/builder.h"

namespace workbook::opt {
namespace {

std::vector<SizeStep> steps_of(const Value& number) {
  if (!number.steps.empty()) return number.steps;
  return {{SizeStep::number, 0, Base::identity, number.number}};
}

}  // namespace

Value Builder::size(int index) const {
  const std::string& name = graph_.indices[static_cast<std::size_t>(index)].name;
  Value result = number(0.0, "size(" + name + ")");
  result.steps = {{SizeStep::extent, static_cast<std::uint8_t>(index), Base::identity, 0.0}};
  return result;
}

Value Builder::joined_numbers(Op op, const Value& a, const Value& b) const {
  for (const Value* value : {&a, &b})
    if (value->extent >= 0) throw BuildError{extent_words(value->symbol)};
  const bool sized = !a.steps.empty() || !b.steps.empty();
  const double x = a.number, y = b.number;
  if (op == Op::max) {
    if (sized) throw BuildError{"which of two sizes is larger is known to you: write that"};
    return x < y ? b : a;
  }
  static constexpr std::string_view kSigns = " +-*/";
  Value result = number(0.0, "(" + a.symbol + kSigns[static_cast<std::size_t>(op)] + b.symbol + ")");
  if (sized) {
    const std::vector<SizeStep> right = steps_of(b);
    result.steps = steps_of(a);
    result.steps.insert(result.steps.end(), right.begin(), right.end());
    result.steps.push_back({op == Op::add   ? SizeStep::add
                            : op == Op::sub ? SizeStep::sub
                            : op == Op::mul ? SizeStep::mul
                                            : SizeStep::div});
    return result;
  }
  result.number = op == Op::add ? x + y : op == Op::sub ? x - y : op == Op::mul ? x * y : x / y;
  return result;
}

Value Builder::of_number(const SizeStep& function, std::string_view name, const Value& a) const {
  Value result = number(0.0, std::string(name) + "(" + a.symbol + ")");
  std::vector<SizeStep> steps = steps_of(a);
  steps.push_back(function);
  if (a.steps.empty())
    result.number = value_of(Constant{"", 0.0, steps}, {});
  else
    result.steps = std::move(steps);
  return result;
}

/// A place that is named as a size would be, and is 0 somewhere: x / (h - 1).
void Builder::require_divisor(const Value& value) const {
  if (!value.named_places || value.placed.size() != 1 || value.placed.front().terms.size() != 1) return;
  const Placed& placed = value.placed.front();
  const Placed::Term& term = placed.terms.front();
  const Index& index = graph_.indices[term.index];
  const std::int64_t at = -placed.plus / term.times;
  if (placed.is_condition() || placed.plus % term.times != 0 || at < 0 || at >= index.real) return;
  const std::string& name = index.name;
  throw BuildError{"beside + - and * an index is where in it an element lies, and this is 0 at " + name +
                   " = " + std::to_string(at) + ": the size is size(" + name + "), as in x / (size(" + name +
                   ") - 1)"};
}

Value Builder::product(const Value& a, const Value& b, IndexSet output) {
  const Value &one = a.node == kProduct ? a : b, &two = a.node == kProduct ? b : a;
  if (two.extent >= 0) throw BuildError{extent_words(two.symbol)};
  if (one.plus >= 0) return binary(Op::mul, multiplied_out(one), two, output);
  Value result = one;
  result.output = output;
  if (is_number(two)) {
    if (result.times < 0) {
      result.times = constant(two);
      return result;
    }
    const Constant& before = graph_.constants[static_cast<std::size_t>(result.times)];
    Value times = number(before.value, before.name);
    times.steps = before.steps;
    result.times = constant(joined_numbers(Op::mul, times, two));
  } else if (two.node == kProduct && two.times < 0 && two.mean < 0 && two.plus < 0) {
    result.factors.insert(result.factors.end(), two.factors.begin(), two.factors.end());
  } else {
    result.factors.push_back(whole(two));
  }
  return result;
}

std::vector<int> Builder::fewer_factors(std::vector<int> factors) {
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const IndexSet one = shape(factors[i]), two = shape(factors[k]);
      if (i == k || !within(two, one)) continue;
      factors[i] = make({Op::mul, factors[i], factors[k], -1, 0}, 0);
      factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(k));
      return fewer_factors(factors);
    }
  return factors;
}

Value Builder::multiplied_out(const Value& value) {
  if (value.node != kProduct) return value;
  const std::vector<int> left = fewer_factors(value.factors);
  Value result = value;
  result.factors.clear();
  result.node = left.front();
  for (std::size_t i = 1; i < left.size(); ++i)
    result.node = make({Op::mul, result.node, left[i], -1, 0}, value.output);
  return result;
}

Value Builder::sum_of_product(int index, const Value& a) {
  std::vector<int> with, without;
  for (const int factor : a.factors) (has(shape(factor), index) ? with : without).push_back(factor);
  with = fewer_factors(with);
  while (with.size() > 2) {
    with[0] = make({Op::mul, with[0], with.back(), -1, 0}, a.output);
    with.pop_back();
    with = fewer_factors(with);
  }
  Value result;
  if (with.empty()) {
    result = multiplied_out(a);
    result.node = make({Op::sum, whole(result), -1, index, 0}, 0);
    return result;
  }
  result.node = with.size() == 1
                    ? make({Op::sum, with[0], -1, index, 0}, 0)
                    : make({Op::matmul, std::min(with[0], with[1]), std::max(with[0], with[1]), index, 0}, 0);
  for (const int factor : without) {
    Value other;
    other.node = factor;
    result = binary(Op::mul, result, other, a.output);
  }
  result.times = a.times, result.mean = a.mean;
  return result;
}

}  // namespace workbook::opt
