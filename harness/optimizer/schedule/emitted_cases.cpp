#include "optimizer/schedule/emitted_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "optimizer/forms/forms.h"
#include "optimizer/graph/ranges.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/judge/verify.h"
#include "optimizer/plan/halves.h"
#include "optimizer/schedule/schedule.h"

namespace workbook::opt {
namespace {

constexpr std::int64_t kRagged[] = {1, 31, 33, 1000}, kSmallRagged[] = {1, 5, 7, 33};
constexpr std::size_t kManyIndices = 4;  ///< from so many on the small ones: the simulator has to run them
constexpr std::int64_t kEight = 8;  ///< elements that lie together where rows begin at multiples of 16 bytes
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

/// What inputs are filled with.
///   normal  the normal distribution, or evenly what the program's ranges hold of it
///   few     a handful of numbers, so that there are zeros and ties; minus infinity where an input may hold
///   it large   the ends of the ranges among others, 16 where there is none, and minus infinity
enum class Fill { normal, few, large };

double filled(const Tensor& tensor, Fill fill, std::uint64_t key) {
  constexpr double kNormal = 4.0, kFew[] = {0.0, 1.0, 0.0, -1.0, 2.0, 0.5, -2.0, 1.0};
  const double evenly =
      tensor.low + (tensor.high - tensor.low) * static_cast<double>(mixed(key, 3) >> 11) * 0x1p-53;
  if (fill == Fill::normal)
    return tensor.low <= -kNormal && tensor.high >= kNormal ? drawn_normal(key) : evenly;
  const std::uint64_t which = mixed(key, 7) % 8;
  if (fill == Fill::few) return std::clamp(kFew[which], tensor.low, tensor.high);
  constexpr double kLarge = 16.0;  // where the program gives no range: no sum of products overflows half
  if (!tensor.has_range()) return which < 2 ? kLarge : which < 4 ? -kLarge : drawn_normal(key);
  return which < 2 ? tensor.high : which < 4 ? tensor.low : evenly;
}

/// Of whole numbers that are compared: with places, so that some lie before and some behind; with the
/// program's constants, so that some are equal; the largest that a float tells apart.
double filled_whole(const Graph& graph, const Tensor& tensor, Fill fill, const Extents& extents,
                    std::uint64_t key) {
  const double low = tensor.has_range() ? tensor.low : 0.0;
  const double high = tensor.has_range()
                          ? tensor.high
                          : static_cast<double>(*std::max_element(extents.begin(), extents.end()));
  double value = low + static_cast<double>(mixed(key, 3) % static_cast<std::uint64_t>(high - low + 1.0));
  if (fill == Fill::few) {
    std::vector<double> few{0.0, 1.0, -1.0};
    for (const Constant& constant : graph.constants)
      if (const double own = value_of(constant, extents); own == std::floor(own))
        few.push_back(own), few.push_back(-own);
    value = few[mixed(key, 7) % few.size()];
  }
  if (fill == Fill::large && mixed(key, 7) % 4 == 0)
    value = mixed(key, 9) % 2 == 0 ? (tensor.has_range() ? high : kMostWhole)
                                   : (tensor.has_range() ? low : -kMostWhole);
  return tensor.has_range() ? std::clamp(value, low, high) : value;
}

/// As a mask of attention has it: in every row another stretch up to the end, so that whole tiles are, and
/// some elements before.
bool is_masked(const Tensor& tensor, const Extents& extents, std::size_t i) {
  const auto last = static_cast<std::size_t>(tensor.dims.empty() ? 1 : extents[tensor.dims.back()]);
  const std::size_t row = i / last, column = i % last;
  return column > row * 7 % last || (column > 0 && mixed(hash_of(tensor.name), i) % 4 == 0);
}

/// Of how many rows the input chooses one, if it does.
std::int64_t rows_chosen_by(const Graph& graph, int input, const Extents& extents) {
  std::int64_t rows = 0;
  for (const Tensor& view : graph.inputs)
    for (std::size_t dim = 0; dim < view.view.size(); ++dim)
      if (view.view[dim].by == input) {
        const std::int64_t extent = extents[graph.inputs[slot(view.view_of)].dims[dim]];
        rows = rows == 0 ? extent : std::min(rows, extent);
      }
  return rows;
}

/// Rounds as the storage does; a number that is too large for it stays the largest.
double stored(const Tensor& tensor, double value) {
  const double most = tensor.storage == Storage::f16 ? kMostHalf : 3e38;
  return rounded_to(tensor.storage, std::isfinite(value) ? std::clamp(value, -most, most) : value);
}

/// The program, and what it means where an exp would overflow.
struct Reference {
  Graph plain, stable;
};
Reference reference_of(const Program& program) {
  Graph plain = expanded(program, program.graph);
  std::optional<Graph> stable = stabilised(program, plain);
  return {plain, stable ? std::move(*stable) : plain};
}

/// `exact`: what the program means; `own`: of the plan's graph, as it rounds; `rounded`: of the program,
/// likewise.
void expect(const Output& output, const Extents& extents, Fill fill, const NumberTensor& exact,
            const NumberTensor& own, const NumberTensor& rounded, EmittedCase& made) {
  const auto finite = [](double bound) { return std::isfinite(bound); };
  // Where the program itself may be off by anything, nothing is judged.
  const bool all_bounded = std::all_of(own.bounds.begin(), own.bounds.end(), finite);
  const double unit = unit_of(output.storage);
  const double most = output.storage == Storage::f16 ? 0.99 * kMostHalf : 3e38;
  for (const std::size_t place : memory_order(output.dims, extents)) {
    const double value = exact.values[place];
    const bool judged = std::isfinite(value) && std::abs(value) < most &&
                        (finite(own.bounds[place]) || (!all_bounded && finite(rounded.bounds[place])));
    made.expected.push_back(judged ? value : std::numeric_limits<double>::quiet_NaN());
    // Of extreme inputs what a plan rounds may be off by anything; a number it is.
    const bool any = fill != Fill::normal && !finite(own.bounds[place]);
    made.accepted.push_back(any ? std::numeric_limits<double>::max()
                                : own.bounds[place] + unit * std::abs(value) +
                                      (output.storage == Storage::f16 ? 0x1p-25 : 0.0));
  }
}

EmittedCase case_at(const Program& program, const Plan& plan, std::uint64_t halved,
                    const Reference& reference, const Extents& extents, Fill fill) {
  const Graph& graph = plan.graph;
  EmittedCase made;
  made.extents = extents;
  std::vector<NumberTensor> inputs;
  for (std::size_t input = 0; input < graph.inputs.size(); ++input) {
    const Tensor& tensor = graph.inputs[input];
    NumberTensor values{tensor.set(), {}, {}};
    values.values.resize(size_of(values.set, extents));
    if (tensor.constant >= 0) {
      values.values.assign(values.values.size(), value_of(graph.constants[slot(tensor.constant)], extents));
    } else if (tensor.is_placed()) {
      values.values = placed_values(tensor, extents);
    } else if (tensor.view_of >= 0) {
      values.values = viewed_values(graph, tensor, extents, inputs);
    } else {
      const bool masks =
          fill != Fill::normal && may_hold_minus_infinity(reference.plain, static_cast<int>(input));
      const std::int64_t rows = rows_chosen_by(graph, static_cast<int>(input), extents);
      const std::vector<std::size_t> order = memory_order(tensor.dims, extents);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const double value =
            masks && is_masked(tensor, extents, i) ? -std::numeric_limits<double>::infinity()
            : rows > 0
                ? static_cast<double>(mixed(hash_of(tensor.name), i) % static_cast<std::uint64_t>(rows))
            : tensor.storage == Storage::i32
                ? filled_whole(graph, tensor, fill, extents, mixed(hash_of(tensor.name), i))
                : stored(tensor, filled(tensor, fill, mixed(hash_of(tensor.name), i)));
        values.values[order[i]] = value;
        made.inputs.push_back(static_cast<float>(value));
      }
    }
    inputs.push_back(std::move(values));
  }
  const IndexSet output = program.output_set();
  const Graph& meant = fill == Fill::normal ? reference.plain : reference.stable;
  const std::vector<NumberTensor> exact = evaluate_numbers(meant, output, extents, inputs, {});
  const std::vector<NumberTensor> own =
      evaluate_numbers(graph, output, extents, inputs, kFloat, halved, tensor_type(program, plan));
  const auto finite = [](double bound) { return std::isfinite(bound); };
  const auto is_bounded = [&](int node) {
    return std::all_of(own[slot(node)].bounds.begin(), own[slot(node)].bounds.end(), finite);
  };
  std::vector<NumberTensor> rounded(meant.nodes.size());
  if (!std::all_of(graph.outputs.begin(), graph.outputs.end(), is_bounded))
    rounded = evaluate_numbers(meant, output, extents, inputs, kFloat);
  for (int i = 0; i < static_cast<int>(graph.outputs.size()); ++i)
    expect(program.output(i), extents, fill, exact[slot(meant.outputs[slot(i)])],
           own[slot(graph.outputs[slot(i)])], rounded[slot(meant.outputs[slot(i)])], made);
  return made;
}

/// Where a maximum runs, its index goes on for more than one block's turns, and ends with one element; where
/// there is one block, for some turns. Those that may not be shortened.
IndexSet lengthen(const Plan& plan, Extents& extents) {
  constexpr std::int64_t kTurns = 3;
  IndexSet longer = 0;
  for (const Kernel& kernel : plan.kernels)
    for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index) {
      const Cut& cut = kernel.cuts[slot(index)];
      const std::int64_t real = plan.graph.indices[slot(index)].real;
      if (!has_running_maximum(kernel.path) || cut.loop == 1) continue;
      const std::int64_t turns = cut.grid > 1 ? cut.loop : std::min<std::int64_t>(cut.loop, kTurns);
      extents[slot(index)] =
          static_cast<std::int32_t>(std::min(real, tile_of(kernel, index, real) * (turns + 1) + 1));
      longer |= only(index);
    }
  return longer;
}

/// Where a kernel has no stages, some steps of it, and all of them whole: what it does else only at the real
/// sizes. Nothing where there is no such kernel.
std::optional<Extents> whole_steps(const Plan& plan, Extents extents) {
  constexpr int kSteps = 3;
  bool any = false;
  for (const Kernel& kernel : plan.kernels) {
    if (kernel.stages != kNoStages) continue;
    for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index) {
      const Cut& cut = kernel.cuts[slot(index)];
      const std::int64_t real = plan.graph.indices[slot(index)].real;
      if (cut.loop == 1 && cut.grid == 1) continue;
      any = true;
      const std::int64_t tile = fragments_of(tile_of(kernel, index, real));
      extents[slot(index)] =
          static_cast<std::int32_t>(std::min(real, cut.loop > 1 ? kSteps * tile : tile + kEight));
    }
  }
  return any ? std::optional(extents) : std::nullopt;
}

/// Where groups of warps multiply: rows that begin at multiples of 16 bytes, so that tiles are copied by
/// tensor maps, and more steps than a ring has stages. Nothing where there is no such kernel.
std::optional<Extents> mapped_sizes(const Plan& plan, Extents extents) {
  constexpr std::int64_t kFewRows = 40, kWhole = 128;
  bool any = false;
  for (const Kernel& kernel : plan.kernels) {
    if (!by_groups(kernel.path)) continue;
    any = true;
    for (int index = 0; index < static_cast<int>(plan.graph.indices.size()); ++index) {
      const Cut& cut = kernel.cuts[slot(index)];
      const std::int64_t real = plan.graph.indices[slot(index)].real;
      const std::int64_t wanted = cut.loop > 1
                                      ? kernel.beside * (kernel.stages + 2) * tile_of(kernel, index, real)
                                  : cut.grid == 1          ? kWhole
                                  : tile_of(cut, real) > 1 ? kFewRows
                                                           : 1;
      extents[slot(index)] = static_cast<std::int32_t>(std::min(real, wanted));
    }
  }
  return any ? std::optional(extents) : std::nullopt;
}

/// The simulator has to run them: what is not `longer` is halved until there is little enough to do.
void shorten(const Program& program, const Graph& graph, Extents& extents, IndexSet longer) {
  constexpr double kMostWork = 1 << 23;
  const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
  const auto work = [&] {
    double total = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      total += static_cast<double>(size_of(shapes[i], extents)) *
               (graph.nodes[i].over >= 0 ? extents[slot(graph.nodes[i].over)] : 1);
    return total;
  };
  while (work() > kMostWork) {
    int largest = -1;
    for (const IndexSet of : {static_cast<IndexSet>(~longer), longer}) {
      for (int index = 0; index < static_cast<int>(graph.indices.size()); ++index)
        if (has(of, index) && extents[slot(index)] > 1 &&
            (largest < 0 || extents[slot(index)] > extents[slot(largest)]))
          largest = index;
      if (largest >= 0) break;
    }
    extents[slot(largest)] = (extents[slot(largest)] + 1) / 2;
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
  const Reference reference = reference_of(program);
  const Extents real = real_extents(graph), teaching = teaching_extents(graph);
  std::vector<EmittedCase> cases;
  const auto add = [&](Extents extents, Fill fill, bool longer) {
    shorten(program, graph, extents, longer ? lengthen(plan, extents) : IndexSet{0});
    cases.push_back(case_at(program, plan, halved, reference, extents, fill));
  };
  const auto ragged = [&](std::size_t draw, bool small) {
    Extents extents = teaching;
    for (std::size_t i = 0; i < graph.indices.size(); ++i) {
      const std::size_t which = (i + draw) % std::size(kRagged);
      const std::int64_t wanted = small ? kSmallRagged[which] : kRagged[which];
      extents[i] = static_cast<std::int32_t>(std::min<std::int64_t>(wanted, real[i]));  // what it was cut for
    }
    return extents;
  };
  add(teaching, Fill::normal, false);
  for (std::size_t draw = 0; draw < std::size(kRagged); ++draw)
    add(ragged(draw, graph.indices.size() >= kManyIndices), Fill::normal, draw + 1 == std::size(kRagged));
  if (const auto whole = whole_steps(plan, teaching)) add(*whole, Fill::normal, false);
  if (const auto mapped = mapped_sizes(plan, teaching)) add(*mapped, Fill::normal, false);
  add(ragged(1, true), Fill::few, true);
  add(ragged(2, true), Fill::large, true);
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

}  // namespace workbook::opt
