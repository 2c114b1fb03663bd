#include "optimizer/judge/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "optimizer/algebra/normal_form.h"
#include "optimizer/graph/sizes.h"
#include "optimizer/language/text.h"

namespace workbook::opt {
namespace {

constexpr int kGuesses = 60;  ///< random inputs at each extents

/// Whole numbers in the inputs of a graph; views and constants follow from them.
class WholeNumbers {
 public:
  WholeNumbers(const Program& program, const Graph& graph, const Extents& extents)
      : program_(program), graph_(graph), layout_(extents) {
    for (std::size_t i = 0; i < program.graph.inputs.size(); ++i) {
      const Tensor& tensor = program.graph.inputs[i];
      inputs.push_back({tensor.set(), std::vector<double>(layout_.size(tensor.set())), {}});
      if (tensor.constant >= 0)
        inputs.back().values = {
            value_of(graph.constants[static_cast<std::size_t>(tensor.constant)], extents)};
      if (tensor.is_placed()) inputs.back().values = placed_values(tensor, extents);
    }
  }

  /// Draws every element anew, one in `one_in` of them not zero.
  void draw(std::uint64_t key) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (free(i))
        for (std::size_t at = 0; at < inputs[i].values.size(); ++at)
          inputs[i].values[at] = static_cast<double>(mixed(key, i << 32 | at) % 7) - 3.0;
  }

  /// The first element at which the two differ by more than rounding, of finite values of the program.
  std::optional<std::size_t> differ() {
    const auto values = [&](const Graph& of, const std::vector<NumberTensor>& from) {
      return evaluate_numbers(of, program_.output_set(), layout_.extents(), from,
                              {0x1p-53})[static_cast<std::size_t>(of.output())];
    };
    look();
    theirs = values(graph_, with_views());
    programs = values(program_.graph, inputs);
    for (std::size_t i = 0; i < programs.values.size(); ++i) {
      if (!std::isfinite(programs.values[i]) || !std::isfinite(theirs.values[i])) continue;
      const double bound = 4 * (theirs.bounds[i] + programs.bounds[i]) + 1e-9 * std::abs(programs.values[i]);
      if (std::abs(theirs.values[i] - programs.values[i]) > bound) return i;
    }
    return std::nullopt;
  }

  /// Smaller numbers one at a time, while the two still differ: 0, 1, -1, 2, -2.
  void shrink() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t at = 0; free(i) && at < inputs[i].values.size(); ++at) {
          double& value = inputs[i].values[at];
          const double before = value;
          for (const double smaller : {0.0, 1.0, -1.0, 2.0, -2.0}) {
            if (smaller == before) break;
            value = smaller;
            if (differ()) {
              changed = true;
              break;
            }
            value = before;
          }
        }
    }
  }

  const Layout& layout() const { return layout_; }
  std::vector<NumberTensor> inputs;
  NumberTensor theirs, programs;

 private:
  /// What the program's views read of what is drawn.
  void look() {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (const Tensor& tensor = program_.graph.inputs[i]; tensor.view_of >= 0)
        inputs[i].values = viewed_values(program_.graph, tensor, layout_.extents(), inputs);
  }
  bool free(std::size_t input) const { return program_.graph.inputs[input].is_stored(); }

  std::vector<NumberTensor> with_views() const {
    std::vector<NumberTensor> all = inputs;
    for (std::size_t i = all.size(); i < graph_.inputs.size(); ++i) {
      const Tensor& tensor = graph_.inputs[i];
      NumberTensor values{tensor.set(), {}, {}};
      if (tensor.is_placed()) values.values = placed_values(tensor, layout_.extents());
      for (std::size_t at = values.values.size(); at < layout_.size(values.set); ++at)
        values.values.push_back(
            tensor.constant >= 0
                ? value_of(graph_.constants[static_cast<std::size_t>(tensor.constant)], layout_.extents())
                : all[static_cast<std::size_t>(tensor.view_of)].values[viewed(
                      layout_, tensor, graph_.inputs[static_cast<std::size_t>(tensor.view_of)], at)]);
      all.push_back(values);
    }
    return all;
  }

  const Program& program_;
  const Graph& graph_;
  Layout layout_;
};

/// Values in the order of memory, a bracket for each dimension.
std::string nested(const Layout& layout, const Tensor& tensor, const NumberTensor& values, std::size_t dim,
                   std::size_t offset) {
  if (dim == tensor.dims.size()) return fmt::format("{:g}", values.values[offset]);
  std::string text = "[";
  const int index = tensor.dims[dim];
  for (std::int32_t i = 0; i < layout.extents()[static_cast<std::size_t>(index)]; ++i)
    text += (i == 0 ? "" : ", ") +
            nested(layout, tensor, values, dim + 1,
                   offset + static_cast<std::size_t>(i) * layout.stride(values.set, index));
  return text + "]";
}

std::string place_text(const Program& program, const Layout& layout, std::size_t at) {
  std::string text;
  for (const std::uint8_t dim : program.output_dims)
    text += fmt::format("{}{}", text.empty() ? "" : ",", layout.coordinate(program.output_set(), at, dim));
  return program.output_name + (text.empty() ? "" : "[" + text + "]");
}

}  // namespace

std::optional<Counterexample> smallest_counterexample(const Program& program, const Graph& graph) {
  const int indices = static_cast<int>(program.graph.indices.size());
  std::vector<std::uint32_t> sets(1u << indices);
  for (std::uint32_t set = 0; set < sets.size(); ++set) sets[set] = set;
  std::stable_sort(sets.begin(), sets.end(),
                   [](auto a, auto b) { return std::popcount(a) < std::popcount(b); });
  for (const std::uint32_t set : sets) {  // which extents are 2: none first, all last
    Extents extents;
    extents.fill(1);
    for (int i = 0; i < indices; ++i)
      extents[static_cast<std::size_t>(i)] = 1 + static_cast<int>(set >> i & 1);
    WholeNumbers numbers(program, graph, extents);
    for (int attempt = 0; attempt < kGuesses; ++attempt) {
      numbers.draw(mixed(set, static_cast<std::uint64_t>(attempt)));
      if (!numbers.differ()) continue;
      numbers.shrink();
      const std::size_t at = *numbers.differ();
      Counterexample example;
      example.extents = extents;
      for (std::size_t i = 0; i < numbers.inputs.size(); ++i)
        if (program.graph.inputs[i].is_stored())
          example.inputs.emplace_back(
              program.graph.inputs[i].name,
              nested(numbers.layout(), program.graph.inputs[i], numbers.inputs[i], 0, 0));
      example.place = place_text(program, numbers.layout(), at);
      example.theirs = numbers.theirs.values[at];
      example.programs = numbers.programs.values[at];
      return example;
    }
  }
  return std::nullopt;
}

std::optional<ForeignPart> foreign_part(const Program& program, const Graph& graph,
                                        const std::vector<int>& lines) {
  NormalForms forms(graph);
  std::vector<FormId> goals;
  const auto goal = [&](Graph one) { return forms.forms_of(one)[static_cast<std::size_t>(one.output())]; };
  goals.push_back(goal(program.graph));
  for (const Graph& lemma : program.lemmas) goals.push_back(goal(lemma));
  const std::vector<FormId> parts = forms.forms_of(graph);
  for (std::size_t i = graph.inputs.size(); i < parts.size(); ++i)
    if (std::none_of(goals.begin(), goals.end(), [&](FormId whole) { return forms.useful(parts[i], whole); }))
      return ForeignPart{static_cast<int>(i), i < lines.size() ? lines[i] : 0,
                         node_text(graph, static_cast<int>(i))};
  return std::nullopt;
}

Checked check(const Program& program, const Graph& graph, const std::vector<int>& lines, Inputs inputs) {
  Checked result;
  VerifyOptions options;
  options.inputs = inputs;
  options.full_extents = inputs == Inputs::uniform;
  Verifier verifier(program, options);
  result.verified = verifier.verify(graph);
  if (result.verified.equal) {
    bool views = false;
    for (const Tensor& tensor : graph.inputs) views = views || tensor.view_of >= 0;
    if (!views && graph.inputs.size() == program.graph.inputs.size())
      result.numerics = RoundingCheck(program).of(graph);
    return result;
  }
  result.foreign = foreign_part(program, graph, lines);
  result.example = smallest_counterexample(program, graph);
  return result;
}

}  // namespace workbook::opt
