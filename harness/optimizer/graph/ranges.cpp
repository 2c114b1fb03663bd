#include "optimizer/graph/ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/graph/sizes.h"
#include "optimizer/graph/unary.h"

namespace workbook::opt {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr Range kAny{-kUnbounded, kUnbounded};

std::size_t at(int node) { return static_cast<std::size_t>(node); }

Range product(Range a, Range b) {
  double low = kUnbounded, high = -kUnbounded;
  for (const double x : {a.low, a.high})
    for (const double y : {b.low, b.high}) {
      const double value = x == 0.0 || y == 0.0 ? 0.0 : x * y;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return {low, high};
}
Range times(Range a, double n) { return product(a, {n, n}); }

Range quotient(Range a, Range b) {
  if (b.low <= 0.0 && b.high >= 0.0) return kAny;
  return product(a, {1.0 / b.high, 1.0 / b.low});
}

const Tensor& source_of(const Graph& graph, int input) {
  const Tensor& tensor = graph.inputs[at(input)];
  return tensor.view_of < 0 ? tensor : graph.inputs[at(tensor.view_of)];
}

class Ranger {
 public:
  explicit Ranger(const Graph& graph) : graph_(graph), extents_(real_extents(graph)) {
    for (const Node& node : graph.nodes) {
      const auto told = [&](int operand) { return operand >= 0 && told_[at(operand)]; };
      const auto is_summed = [&](int operand) { return operand >= 0 && summed_[at(operand)]; };
      summed_.push_back(node.op != Op::input && (node.over >= 0 || is_summed(node.a) || is_summed(node.b)));
      told_.push_back(node.op == Op::input ? source_of(graph, node.a).has_range()
                                           : told(node.a) || told(node.b));
      ranges_.push_back(of(node));
    }
  }
  std::vector<Range> take() { return std::move(ranges_); }

 private:
  Range range(int node) const { return node < 0 ? Range{} : ranges_[at(node)]; }
  double extent(int index) const { return static_cast<double>(graph_.indices[at(index)].real); }

  Range of(const Node& node) const {
    const Range a = range(node.op == Op::input ? -1 : node.a), b = range(node.b);
    switch (node.op) {
      case Op::input:
        return of_input(graph_.inputs[at(node.a)]);
      case Op::add:
        return of_sums({a.low + b.low, a.high + b.high});
      case Op::sub:
        return is_its_maximum(node.a, node.b) ? Range{-kUnbounded, 0.0}
                                              : of_sums({a.low - b.high, a.high - b.low});
      case Op::mul:
        if (node.a == node.b) return {0.0, a.magnitude() * a.magnitude()};
        if (const auto most = normalised(node.a, node.b, "rsqrt")) return {-*most, *most};
        if (const auto most = normalised(node.b, node.a, "rsqrt")) return {-*most, *most};
        // Sums multiplied by sums leave half's range long before the sums do.
        return summed_[at(node.a)] && summed_[at(node.b)] ? product(a, b) : of_sums(product(a, b));
      case Op::div:
        if (const auto most = normalised(node.a, node.b, "sqrt")) return {-*most, *most};
        if (const Node& by = graph_.nodes[at(node.b)]; by.op == Op::sum && by.a == node.a && a.low >= 0.0)
          return {0.0, 1.0};
        return quotient(a, b);
      case Op::exp:
        return {std::exp(a.low), std::exp(a.high)};
      case Op::fn:
        return of_function(graph_.functions[node.fn], a);
      case Op::max:
        return node.b < 0 ? a : Range{std::max(a.low, b.low), std::max(a.high, b.high)};
      case Op::sum:
        return summed(times(a, extent(node.over)));
      case Op::matmul:
        return summed(times(product(a, b), extent(node.over)));
    }
    return kAny;
  }
  /// At most what half holds, where no range says more: else nothing that is summed could be, nor what is
  /// made of such by + and -, or by * with what is no sum.
  Range summed(Range all) const {
    if (told_.back()) return all;
    return {std::max(all.low, -kMostHalf), std::min(all.high, kMostHalf)};
  }
  Range of_sums(Range all) const { return summed_.back() ? summed(all) : all; }
  Range of_input(const Tensor& tensor) const {
    if (tensor.given) return kAny;
    if (tensor.placed.compares()) return {0.0, tensor.placed.hides ? 0.0 : 1.0};
    if (tensor.is_placed()) return of_place(tensor.placed);
    if (tensor.view_of >= 0) {  // 0 outside
      const Tensor& source = graph_.inputs[at(tensor.view_of)];
      return {std::min(source.low, 0.0), std::max(source.high, 0.0)};
    }
    if (tensor.storage == Storage::i32 && !tensor.has_range()) return {-kMostWhole, kMostWhole};
    if (tensor.constant < 0) return {tensor.low, tensor.high};
    const double value = value_of(graph_.constants[at(tensor.constant)], extents_);
    return {value, value};
  }
  Range of_place(const Placed& placed) const {
    Range all{static_cast<double>(placed.plus), static_cast<double>(placed.plus)};
    for (const Placed::Term& term : placed.terms)
      (term.times < 0 ? all.low : all.high) += term.times * (extent(term.index) - 1.0);
    return all;
  }
  Range of_function(const Function& f, Range a) const {
    if (f.times >= 0) a = times(a, value_of(graph_.constants[at(f.times)], extents_));
    if (f.mean >= 0) a = times(a, 1.0 / extent(f.mean));
    const double plus = f.plus >= 0 ? value_of(graph_.constants[at(f.plus)], extents_) : 0.0;
    a = {a.low + plus, a.high + plus};
    if (f.base == Base::identity) return a;
    const double most = unary(f.base).magnitude(a.magnitude());
    return {-most, most};
  }
  bool is_its_maximum(int of, int maximum) const {
    const Node& node = graph_.nodes[at(maximum)];
    return node.op == Op::max && node.b < 0 && node.a == of;
  }
  /// Of x / sqrt(mean(x * x) + eps) the root of the extent, of x / sqrt(sum(x * x)) 1: `by` is that root. Of
  /// x times others so many times these.
  std::optional<double> normalised(int x, int by, std::string_view root) const {
    if (const auto most = normalised_alone(x, by, root)) return most;
    const Node& product = graph_.nodes[at(x)];
    if (product.op != Op::mul) return std::nullopt;
    for (const auto& [factor, other] : {std::pair{product.a, product.b}, std::pair{product.b, product.a}})
      if (const auto most = normalised(factor, by, root)) return *most * range(other).magnitude();
    return std::nullopt;
  }
  std::optional<double> normalised_alone(int x, int by, std::string_view root) const {
    const Node& node = graph_.nodes[at(by)];
    if (node.op != Op::fn || unary(graph_.functions[node.fn].base).name != root) return std::nullopt;
    const Function& f = graph_.functions[node.fn];
    const Node& sum = graph_.nodes[at(node.a)];
    if (sum.op != Op::sum || f.times >= 0 || (f.mean >= 0 && f.mean != sum.over)) return std::nullopt;
    if (f.plus >= 0 && value_of(graph_.constants[at(f.plus)], extents_) < 0.0) return std::nullopt;
    const Node& square = graph_.nodes[at(sum.a)];
    if (square.op != Op::mul || square.a != x || square.b != x) return std::nullopt;
    return f.mean >= 0 ? std::sqrt(extent(f.mean)) : 1.0;
  }

  const Graph& graph_;
  Extents extents_;
  std::vector<Range> ranges_;
  std::vector<bool> summed_;  ///< it depends on a sum
  std::vector<bool> told_;    ///< by the program, of an input that the node depends on
};

/// Whether nothing but exp takes it, behind additions; `found`: an exp does.
bool leads_to_exp(const Graph& graph, int node, bool& found) {
  for (std::size_t i = graph.inputs.size(); i < graph.nodes.size(); ++i) {
    const Node& user = graph.nodes[i];
    if (user.a != node && user.b != node) continue;
    const bool maximum = user.op == Op::max && user.b < 0;
    if (user.op == Op::exp) found = true;
    if (user.op == Op::exp || maximum) continue;
    const bool added = user.op == Op::add && user.a != user.b;
    const bool less = user.op == Op::sub && user.a == node && user.b != node;
    if ((!added && !less) || !leads_to_exp(graph, static_cast<int>(i), found)) return false;
  }
  return !graph.is_output(node);
}

}  // namespace

double Range::magnitude() const { return std::max(std::abs(low), std::abs(high)); }

std::vector<Range> ranges_of(const Graph& graph) { return Ranger(graph).take(); }

bool fits_half(const Graph& graph, int node) { return ranges_of(graph)[at(node)].magnitude() <= kMostHalf; }

bool may_hold_minus_infinity(const Graph& graph, int input) {
  const Tensor& tensor = graph.inputs[at(input)];
  if (!tensor.is_stored() || tensor.given) return false;
  bool found = false;
  return tensor.holds_minus_infinity || (leads_to_exp(graph, input, found) && found);
}

}  // namespace workbook::opt
