// What rounding may do to an equal graph: its bound beside the program's own, on data that tells them apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/graph/ranges.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/judge/verify.h"

namespace workbook::opt {
namespace {

constexpr double kMostTimes = 16.0;  ///< what a graph's bound may be of the program's
constexpr std::int32_t kRow = 16;    ///< extent of what is summed; other indices are 2
const double kUnit = unit_of(Storage::f32);

/// Within what the program declares of the tensor, or what is usual.
double within(const Tensor& tensor, double value) { return std::clamp(value, tensor.low, tensor.high); }

}  // namespace

double edge_number(const Graph& graph, int input, Edge edge, std::uint64_t key) {
  constexpr double kFew[] = {0.0, 1.0, 0.0, -1.0, 2.0, 0.5, -2.0, 1.0}, kLarge = 16.0;
  const Tensor& tensor = graph.inputs[static_cast<std::size_t>(input)];
  const bool masks = edge != Edge::none && may_hold_minus_infinity(graph, input);
  const std::uint64_t which = mixed(key, 7) % 8;
  if (masks && which >= 6) return -std::numeric_limits<double>::infinity();
  if (edge == Edge::few) return within(tensor, kFew[which]);
  const double normal = drawn_normal(key);
  if (edge == Edge::none) return tensor.has_range() ? within(tensor, normal) : normal;
  if (!tensor.has_range()) return which < 2 ? kLarge : which < 4 ? -kLarge : normal;
  return which < 2 ? tensor.high : which < 4 ? tensor.low : within(tensor, normal);
}

RoundingCheck::RoundingCheck(const Program& program) : program_(program) {
  extents_.fill(2);
  for (const Node& node : program.graph.nodes)
    if (node.over >= 0) extents_[static_cast<std::size_t>(node.over)] = kRow;
  add("normal data", -1, Edge::none);
  for (std::size_t i = 0; i < program.graph.inputs.size(); ++i) {
    const Tensor& tensor = program.graph.inputs[i];
    if (tensor.is_stored() && !tensor.given)
      add(tensor.name + " with a mean of 30 sigma", static_cast<int>(i), Edge::none);
  }
  add("zeros and ties", -1, Edge::few);
  add("the ends of the ranges", -1, Edge::ends);
}

void RoundingCheck::add(std::string name, int shifted, Edge edge) {
  Data data{std::move(name), edge != Edge::none, {}, {}};
  const Graph& graph = program_.graph;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Tensor& tensor = graph.inputs[i];
    NumberTensor values{tensor.set(), {}, {}};
    if (tensor.is_placed()) values.values = placed_values(tensor, extents_);
    // Within its range, too, nearly all of it is its mean.
    const double sigma =
        static_cast<int>(i) == shifted && tensor.has_range() ? std::min(1.0, tensor.high / 34.0) : 1.0;
    for (std::size_t at = values.values.size(); at < size_of(values.set, extents_); ++at) {
      const std::uint64_t key = mixed(hash_of(tensor.name), at);
      values.values.push_back(
          tensor.constant >= 0
              ? value_of(graph.constants[static_cast<std::size_t>(tensor.constant)], extents_)
          : static_cast<int>(i) == shifted && sigma > 0.0
              ? sigma * (30.0 + drawn_normal(key))
              : edge_number(graph, static_cast<int>(i), edge, key));
    }
    data.inputs.push_back(values);
  }
  // What is given is what the program would compute from the same data, rounded as it would round.
  for (const Given& given : program_.givens) {
    NumberTensor& values = data.inputs[static_cast<std::size_t>(given.input)];
    values = evaluate_numbers(given.graph, values.set, extents_, data.inputs,
                              {kUnit})[static_cast<std::size_t>(given.graph.output())];
  }
  data.own = evaluate_numbers(graph, program_.output_set(), extents_, data.inputs,
                              {kUnit})[static_cast<std::size_t>(graph.output())];
  data_.push_back(std::move(data));
}

Numerics RoundingCheck::of(const Graph& graph) const {
  Numerics worst;
  for (const Data& data : data_) {
    const NumberTensor& own = data.own;
    const NumberTensor other = evaluate_numbers(graph, program_.output_set(), extents_, data.inputs,
                                                {kUnit})[static_cast<std::size_t>(graph.output())];
    for (std::size_t i = 0; i < own.bounds.size(); ++i) {
      if (!std::isfinite(own.values[i]) || !std::isfinite(own.bounds[i])) continue;
      const double off = std::abs(other.values[i] - own.values[i]);
      if (!(off <= 4 * (other.bounds[i] + own.bounds[i]) + 1e-9 * std::abs(own.values[i]))) {
        worst.words =
            fmt::format("{:g} where the program has {:g}, for {}", other.values[i], own.values[i], data.name);
        worst.data = data.name;
        return worst;
      }
      if (data.edge || !(own.bounds[i] > 0.0)) continue;  // there bounds may be of other elements
      const double ratio = other.bounds[i] / own.bounds[i];
      if (!(ratio <= worst.ratio)) {
        worst.ratio = ratio;
        worst.data = data.name;
      }
    }
  }
  worst.within = worst.ratio <= kMostTimes;
  if (!worst.within)
    worst.words = fmt::format("cancellation: its rounding bound is {:.3g} times the program's, for {}",
                              worst.ratio, worst.data);
  return worst;
}

}  // namespace workbook::opt
