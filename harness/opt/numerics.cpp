// What rounding may do to an equal graph: its bound beside the program's own, on data that tells them apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opt/verify.h"

namespace workbook::opt {
namespace {

constexpr double kMostTimes = 16.0;  ///< what a graph's bound may be of the program's
constexpr std::int32_t kRow = 32;    ///< extent of what is summed; other indices are 2

double uniform(std::uint64_t key) { return (static_cast<double>(mixed(key, 5) >> 11) + 0.5) * 0x1p-53; }
double normal(std::uint64_t key) {
  return std::sqrt(-2.0 * std::log(uniform(key))) * std::cos(6.283185307179586 * uniform(mixed(key, 9)));
}

std::vector<NumberTensor> data(const Program& program, const Extents& extents, double mean, double unit) {
  std::vector<NumberTensor> inputs;
  const Graph& graph = program.graph;
  for (const Tensor& tensor : graph.inputs) {
    NumberTensor values{tensor.set(), {}, {}};
    for (std::size_t i = 0; i < size_of(values.set, extents); ++i)
      values.values.push_back(tensor.constant >= 0
                                  ? graph.constants[static_cast<std::size_t>(tensor.constant)].value
                                  : mean + normal(mixed(hash_of(tensor.name), i)));
    inputs.push_back(values);
  }
  // What is given is what the program would compute from the same data, rounded as it would round.
  for (const Given& given : program.givens)
    inputs[static_cast<std::size_t>(given.input)] =
        evaluate_numbers(given.graph, inputs[static_cast<std::size_t>(given.input)].set, extents, inputs, unit)[static_cast<std::size_t>(given.graph.output())];
  return inputs;
}

}  // namespace

Numerics numerics_of(const Program& program, const Graph& graph) {
  Numerics worst;
  Extents extents;
  extents.fill(2);
  for (const Node& node : program.graph.nodes)
    if (node.over >= 0) extents[static_cast<std::size_t>(node.over)] = kRow;
  const double unit = unit_of(Storage::f32);
  for (const auto& [name, mean] : {std::pair<const char*, double>{"normal", 0.0}, {"mean of 30 sigma", 30.0}}) {
    const std::vector<NumberTensor> inputs = data(program, extents, mean, unit);
    const auto bounds = [&](const Graph& of) {
      return evaluate_numbers(of, program.output_set(), extents, inputs, unit)[static_cast<std::size_t>(of.output())];
    };
    const NumberTensor own = bounds(program.graph), other = bounds(graph);
    for (std::size_t i = 0; i < own.bounds.size(); ++i) {
      if (!std::isfinite(own.values[i]) || !(own.bounds[i] > 0.0) || !std::isfinite(own.bounds[i])) continue;
      const double ratio = other.bounds[i] / own.bounds[i];
      if (!(ratio <= worst.ratio)) {
        worst.ratio = ratio;
        worst.data = name;
      }
    }
  }
  worst.within = worst.ratio <= kMostTimes;
  if (!worst.within)
    worst.words = fmt::format("cancellation: its rounding bound is {:.3g} times the program's, data of {}",
                              worst.ratio, worst.data);
  return worst;
}

}  // namespace workbook::opt
