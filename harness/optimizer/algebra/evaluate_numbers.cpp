// Graphs in doubles, with a bound on what rounding to the storage type may add.
#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/algebra/evaluate.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"

namespace workbook::opt {
namespace {

constexpr double kLeastHalf = 0x1p-25;  ///< what rounding to half may take of the smallest numbers

struct Bounded {
  double value = 0.0, bound = 0.0;
};

Bounded quotient(Bounded x, Bounded y) {
  const double value = x.value / y.value, rest = std::abs(y.value) - y.bound;
  if (!(rest > 0.0)) return {value, std::numeric_limits<double>::infinity()};
  return {value, (x.bound + std::abs(value) * y.bound) / rest};
}

}  // namespace

class Numbers {
 public:
  Numbers(const Graph& graph, const Extents& extents, const Extents& whole, Rounding rounding)
      : graph_(graph), layout_(extents), whole_(whole), rounding_(rounding), unit_(rounding.unit) {
    for (const Constant& constant : graph.constants) constants_.push_back(value_of(constant, whole));
  }

  NumberTensor apply(const Node& node, IndexSet shape, const NumberTensor& a, const NumberTensor* b) {
    NumberTensor result{shape, {}, {}};
    const std::size_t size = layout_.size(shape);
    const std::vector<std::uint32_t>& from_a = layout_.gather(shape, a.set);
    const std::vector<std::uint32_t>* from_b = b != nullptr ? &layout_.gather(shape, b->set) : nullptr;
    for (std::size_t i = 0; i < size; ++i) {
      const Bounded exact =
          node.over >= 0 ? reduced(node, a, from_a[i], b, b != nullptr ? (*from_b)[i] : 0)
                         : single(node, at(a, from_a[i]), b != nullptr ? at(*b, (*from_b)[i]) : Bounded{});
      result.values.push_back(exact.value);
      result.bounds.push_back(bound_of(exact));
    }
    return result;
  }

 private:
  /// Minus infinity comes from masks, and stays what it is; what no float holds may be anything.
  double bound_of(Bounded exact) const {
    constexpr double kMostFloat = 3.4028234e38, kLeastFloat = 0x1p-126;  // below it some functions give 0
    if (exact.value == -std::numeric_limits<double>::infinity()) return 0.0;
    if (rounding_.every_addition && std::abs(exact.value) > kMostFloat)
      return std::numeric_limits<double>::infinity();
    return exact.bound + unit_ * std::abs(exact.value) + (rounding_.every_addition ? kLeastFloat : 0.0);
  }

  static Bounded at(const NumberTensor& tensor, std::size_t i) {
    return {tensor.values[i], tensor.bounds.empty() ? 0.0 : tensor.bounds[i]};
  }

  static Bounded product(Bounded x, Bounded y) {
    return {x.value * y.value, std::abs(x.value) * y.bound + std::abs(y.value) * x.bound + x.bound * y.bound};
  }

  Bounded reduced(const Node& node, const NumberTensor& a, std::size_t first_a, const NumberTensor* b,
                  std::size_t first_b) {
    const auto extent = static_cast<std::size_t>(layout_.extents()[static_cast<std::size_t>(node.over)]);
    const std::size_t step_a = layout_.stride(a.set, node.over);
    const std::size_t step_b = b != nullptr ? layout_.stride(b->set, node.over) : 0;
    Bounded result;
    double magnitude = 0.0;
    for (std::size_t k = 0; k < extent; ++k) {
      Bounded next = at(a, first_a + k * step_a);
      if (b != nullptr) next = product(next, at(*b, first_b + k * step_b));
      if (node.op == Op::max) {
        result.value = k == 0 ? next.value : std::max(result.value, next.value);
        result.bound = std::max(result.bound, next.bound);
        continue;
      }
      result.value += next.value;
      result.bound += next.bound;
      magnitude += std::abs(next.value);
    }
    result.bound += unit_ * magnitude * (rounding_.every_addition ? static_cast<double>(extent) : 1.0);
    return result;
  }

  /// By a choice that leaves the other factor out, be that infinite.
  bool chosen_by(int factor, Bounded value) const {
    return value.value == 0.0 && value.bound == 0.0 && slot_in_graph(factor) && selects(graph_, factor);
  }
  bool slot_in_graph(int node) const { return node < static_cast<int>(graph_.nodes.size()); }

  Bounded single(const Node& node, Bounded x, Bounded y) const {
    switch (node.op) {
      case Op::add:
        return {x.value + y.value, x.bound + y.bound};
      case Op::sub:
        return {x.value - y.value, x.bound + y.bound};
      case Op::mul:
        if (chosen_by(node.a, x) || chosen_by(node.b, y)) return {};
        return product(x, y);
      case Op::div:
        return quotient(x, y);
      case Op::exp:
        return {std::exp(x.value), std::exp(x.value) * std::expm1(x.bound)};
      case Op::max:
        return {std::max(x.value, y.value), std::max(x.bound, y.bound)};
      case Op::fn:
        return function(graph_.functions[node.fn], x);
      default:
        return x;
    }
  }

  Bounded function(const Function& f, Bounded x) const {
    if (f.times >= 0) {
      const double times = constants_[static_cast<std::size_t>(f.times)];
      x = {x.value * times, x.bound * std::abs(times)};
    }
    if (f.mean >= 0) {
      const double n = whole_[static_cast<std::size_t>(f.mean)];
      x = {x.value / n, x.bound / n};
    }
    if (f.plus >= 0) x.value += constants_[static_cast<std::size_t>(f.plus)];
    const Unary& row = unary(f.base);
    return {row.value(x.value), row.bound(x.value, x.bound)};
  }

  const Graph& graph_;
  Layout layout_;
  Extents whole_;
  std::vector<double> constants_;
  Rounding rounding_;
  double unit_;
};

NumberEvaluator::NumberEvaluator(const Graph& graph, const Extents& extents, const Extents& whole,
                                 Rounding rounding)
    : numbers_(std::make_unique<Numbers>(graph, extents, whole, rounding)) {}
NumberEvaluator::~NumberEvaluator() = default;
NumberEvaluator::NumberEvaluator(NumberEvaluator&&) noexcept = default;
NumberTensor NumberEvaluator::apply(const Node& node, IndexSet shape, const NumberTensor& a,
                                    const NumberTensor* b) {
  return numbers_->apply(node, shape, a, b);
}

double drawn_normal(std::uint64_t key) {
  const auto uniform = [](std::uint64_t k) {
    return (static_cast<double>(mixed(k, 5) >> 11) + 0.5) * 0x1p-53;
  };
  return std::sqrt(-2.0 * std::log(uniform(key))) * std::cos(6.283185307179586 * uniform(mixed(key, 9)));
}

std::vector<double> placed_values(const Tensor& tensor, const Extents& extents) {
  const Layout layout(extents);
  const IndexSet set = tensor.set();
  std::vector<double> values(layout.size(set));
  Extents at{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const Placed::Term& term : tensor.placed.terms)
      at[term.index] = layout.coordinate(set, i, term.index);
    values[i] = tensor.placed.value(at);
  }
  return values;
}

std::vector<double> viewed_values(const Graph& graph, const Tensor& view, const Extents& extents,
                                  const std::vector<NumberTensor>& inputs) {
  const Layout layout(extents);
  const auto place_of = [&](const NumberTensor& of, const Extents& at) {
    std::size_t place = 0;
    for (const int index : members(of.set))
      place += static_cast<std::size_t>(at[static_cast<std::size_t>(index)]) * layout.stride(of.set, index);
    return place;
  };
  const Tensor& source = graph.inputs[static_cast<std::size_t>(view.view_of)];
  const NumberTensor& from = inputs[static_cast<std::size_t>(view.view_of)];
  std::vector<double> values(layout.size(view.set()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Extents at{};
    for (const std::uint8_t dim : view.dims) at[dim] = layout.coordinate(view.set(), i, dim);
    Extents there{};
    bool inside = true;
    for (std::size_t dim = 0; dim < source.dims.size(); ++dim) {
      const Coordinate& coordinate = view.view[dim];
      std::int64_t value = 0;
      if (coordinate.by < 0) {
        value = coordinate.at(at, extents);
      } else {
        const NumberTensor& by = inputs[static_cast<std::size_t>(coordinate.by)];
        value = static_cast<std::int64_t>(by.values[place_of(by, at)]);
      }
      inside = inside && value >= 0 && value < extents[source.dims[dim]];
      there[source.dims[dim]] = static_cast<std::int32_t>(value);
    }
    values[i] = inside ? from.values[place_of(from, there)] : 0.0;
  }
  return values;
}

double unit_of(Storage storage) {
  return storage == Storage::f16 ? 0x1p-11 : storage == Storage::bf16 ? 0x1p-8 : 0x1p-24;
}

std::vector<NumberTensor> evaluate_numbers(const Graph& graph, IndexSet output, const Extents& extents,
                                           const std::vector<NumberTensor>& inputs, Rounding rounding,
                                           std::uint64_t halved, Storage half) {
  Numbers numbers(graph, extents, extents, rounding);
  const std::vector<IndexSet> shapes = shapes_of(graph, output);
  std::vector<NumberTensor> values(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    values[i] = node.op == Op::input
                    ? inputs[i]
                    : numbers.apply(node, shapes[i], values[static_cast<std::size_t>(node.a)],
                                    node.b < 0 ? nullptr : &values[static_cast<std::size_t>(node.b)]);
    if ((halved >> i & 1) == 0) continue;
    values[i].bounds.resize(values[i].values.size());  // an input is exact
    for (std::size_t at = 0; at < values[i].values.size(); ++at)
      values[i].bounds[at] +=
          unit_of(half) * (std::abs(values[i].values[at]) + values[i].bounds[at]) + kLeastHalf;
  }
  return values;
}

}  // namespace workbook::opt
