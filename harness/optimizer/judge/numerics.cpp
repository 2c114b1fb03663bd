// What rounding may do to an equal graph: its bound beside the program's own, on data that tells them apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimizer/graph/sizes.h"
#include "optimizer/judge/verify.h"

namespace workbook::opt {
namespace {

constexpr double kMostTimes = 16.0;  ///< what a graph's bound may be of the program's
constexpr std::int32_t kRow = 16;    ///< extent of what is summed; other indices are 2
const double kUnit = unit_of(Storage::f32);

}  // namespace

RoundingCheck::RoundingCheck(const Program& program) : program_(program) {
  extents_.fill(2);
  for (const Node& node : program.graph.nodes)
    if (node.over >= 0) extents_[static_cast<std::size_t>(node.over)] = kRow;
  add("normal data", -1);
  for (std::size_t i = 0; i < program.graph.inputs.size(); ++i) {
    const Tensor& tensor = program.graph.inputs[i];
    if (tensor.is_stored() && !tensor.given)
      add(tensor.name + " with a mean of 30 sigma", static_cast<int>(i));
  }
}

void RoundingCheck::add(std::string name, int shifted) {
  Data data{std::move(name), {}, {}};
  const Graph& graph = program_.graph;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const Tensor& tensor = graph.inputs[i];
    NumberTensor values{tensor.set(), {}, {}};
    if (tensor.is_placed()) values.values = placed_values(tensor, extents_);
    for (std::size_t at = values.values.size(); at < size_of(values.set, extents_); ++at)
      values.values.push_back(
          tensor.constant >= 0
              ? value_of(graph.constants[static_cast<std::size_t>(tensor.constant)], extents_)
              : (static_cast<int>(i) == shifted ? 30.0 : 0.0) +
                    drawn_normal(mixed(hash_of(tensor.name), at)));
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
      if (!std::isfinite(own.values[i]) || !(own.bounds[i] > 0.0) || !std::isfinite(own.bounds[i])) continue;
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
