#include "optimizer/emitted_cases.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "optimizer/tensor.h"
#include "optimizer/verify.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kRagged[] = {1, 31, 33, 1000}, kSmallRagged[] = {1, 5, 7, 33};
constexpr std::size_t kManyIndices = 4;  ///< from so many on the small ones: the simulator has to run them
/// Of a float's operations: half a unit where the standard says so, two in CUDA's functions.
constexpr Rounding kFloat{0x1p-22, true};

/// For each element in the order of memory its place in a tensor whose indices lie ascending.
std::vector<std::size_t> memory_order(const std::vector<std::uint8_t>& dims, const Extents& extents) {
  IndexSet set = 0;
  for (const std::uint8_t dim : dims) set |= only(dim);
  const Layout layout(extents);
  std::vector<std::size_t> places{0};
  for (const std::uint8_t dim : dims) {
    std::vector<std::size_t> longer;
    for (const std::size_t place : places)
      for (std::int32_t i = 0; i < extents[dim]; ++i)
        longer.push_back(place + static_cast<std::size_t>(i) * layout.stride(set, dim));
    places = std::move(longer);
  }
  return places;
}

EmittedCase case_at(const Program& program, const Graph& graph, std::uint64_t halved, const Graph& reference,
                    const Extents& extents) {
  EmittedCase made;
  made.extents = extents;
  std::vector<NumberTensor> inputs;
  for (const Tensor& tensor : graph.inputs) {
    NumberTensor values{tensor.set(), {}, {}};
    values.values.resize(size_of(values.set, extents));
    if (tensor.constant >= 0) {
      values.values.assign(values.values.size(), graph.constants[slot(tensor.constant)].value);
    } else {
      const std::vector<std::size_t> order = memory_order(tensor.dims, extents);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const double value = rounded_to(tensor.storage, drawn_normal(mixed(hash_of(tensor.name), i)));
        values.values[order[i]] = value;
        made.inputs.push_back(static_cast<float>(value));
      }
    }
    inputs.push_back(std::move(values));
  }
  const IndexSet output = program.output_set();
  const NumberTensor exact =
      evaluate_numbers(reference, output, extents, inputs, {})[slot(reference.output())];
  const NumberTensor own =
      evaluate_numbers(graph, output, extents, inputs, kFloat, halved)[slot(graph.output())];
  const double unit = unit_of(program.output_storage);
  for (const std::size_t place : memory_order(program.output_dims, extents)) {
    made.expected.push_back(exact.values[place]);
    made.accepted.push_back(own.bounds[place] + unit * std::abs(exact.values[place]) +
                            (program.output_storage == Storage::f16 ? 0x1p-25 : 0.0));
  }
  return made;
}

/// Where a maximum runs, its index goes on for more than one block's turns, and ends with one element.
void lengthen(const Plan& plan, Extents& extents) {
  for (const Kernel& kernel : plan.kernels)
    for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index) {
      const int turns = kernel.cuts[slot(index)].loop;
      const std::int64_t real = plan.graph.indices[slot(index)].real;
      if (!has_running_maximum(kernel.path) || turns == 1) continue;
      extents[slot(index)] =
          static_cast<std::int32_t>(std::min(real, tile_of(kernel, index, real) * (turns + 1) + 1));
    }
}

}  // namespace

double rounded_to(Storage storage, double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const int bits = storage == Storage::f16 ? 11 : storage == Storage::bf16 ? 8 : 24;
  const int least = storage == Storage::f16 ? -13 : -125;  // of the exponent, as frexp counts
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent, least) - bits;
  return std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
}

std::vector<EmittedCase> emitted_cases(const Program& program, const Plan& plan) {
  const Graph& graph = plan.graph;
  const std::uint64_t halved = halved_nodes(program, plan);
  const Graph reference = expanded(program, program.graph);
  const Extents real = real_extents(graph), teaching = teaching_extents(graph);
  std::vector<EmittedCase> cases{case_at(program, graph, halved, reference, teaching)};
  for (std::size_t draw = 0; draw < std::size(kRagged); ++draw) {
    Extents extents = teaching;
    for (std::size_t i = 0; i < graph.indices.size(); ++i) {
      const std::size_t which = (i + draw) % std::size(kRagged);
      const std::int64_t wanted = graph.indices.size() >= kManyIndices ? kSmallRagged[which] : kRagged[which];
      extents[i] = static_cast<std::int32_t>(std::min<std::int64_t>(wanted, real[i]));  // what it was cut for
    }
    if (draw + 1 == std::size(kRagged)) lengthen(plan, extents);
    cases.push_back(case_at(program, graph, halved, reference, extents));
  }
  return cases;
}

std::string cases_file(const Graph& graph, const std::vector<EmittedCase>& cases) {
  std::string bytes;
  for (const EmittedCase& one : cases) {
    bytes.append(reinterpret_cast<const char*>(one.extents.data()),
                 graph.indices.size() * sizeof(std::int32_t));
    bytes.append(reinterpret_cast<const char*>(one.inputs.data()), one.inputs.size() * sizeof(float));
  }
  return bytes;
}

EmittedVerdict judge_emitted(const Program& program, const std::vector<EmittedCase>& cases,
                             const std::string& results) {
  EmittedVerdict verdict;
  std::size_t at = 0;
  for (const EmittedCase& one : cases)
    for (std::size_t i = 0; i < one.expected.size(); ++i, at += sizeof(float)) {
      float got = std::numeric_limits<float>::quiet_NaN();
      if (at + sizeof(float) <= results.size()) std::memcpy(&got, results.data() + at, sizeof(float));
      const double error = std::abs(double{got} - one.expected[i]), accepted = one.accepted[i];
      ++verdict.elements;
      if (error <= accepted && std::isfinite(accepted)) {
        if (accepted > 0.0) verdict.worst = std::max(verdict.worst, error / accepted);
        continue;
      }
      if (verdict.wrong++ > 0) continue;
      verdict.words = fmt::format("{}: element {} of {} is {:.7g}, {:.7g} is right within {:.2g}",
                                  extents_text(program.graph, one.extents), i, program.output_name,
                                  double{got}, one.expected[i], accepted);
    }
  return verdict;
}

}  // namespace workbook::opt
