// Inputs of a draw: uniform elements, drawn again where the program would take the root of what is no square.
#include <optional>
#include <stdexcept>

#include "optimizer/algebra/evaluate.h"

namespace workbook::opt {
namespace {

constexpr int kAttempts = 20'000;
constexpr std::uint32_t kAllAgain = 4096;  ///< after so many all inputs are drawn again

/// The inputs on which a node depends.
std::vector<int> cone(const Graph& graph, int node) {
  std::uint64_t wanted = 1ull << node;
  for (int i = node; i >= 0; --i) {
    const Node& at = graph.nodes[static_cast<std::size_t>(i)];
    if ((wanted >> i & 1) == 0 || at.op == Op::input) continue;
    wanted |= 1ull << at.a;
    if (at.b >= 0) wanted |= 1ull << at.b;
  }
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(graph.inputs.size()); ++i)
    if ((wanted >> i & 1) != 0 && graph.inputs[static_cast<std::size_t>(i)].constant < 0) found.push_back(i);
  return found;
}

class Drawer {
 public:
  Drawer(FieldEvaluator& evaluator, const Program& program, Inputs inputs)
      : evaluator_(evaluator), program_(program), kind_(inputs) {
    const Graph& graph = program.graph;
    const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
    rows_.resize(graph.inputs.size());
    alike_.assign(graph.inputs.size(), true);
    for (const Node& node : graph.nodes)
      if (is_root(graph, node))
        for (const int input : cone(graph, node.a)) {
          const IndexSet set = shapes[static_cast<std::size_t>(node.a)];
          std::optional<IndexSet>& rows = rows_[static_cast<std::size_t>(input)];
          if (rows && *rows != set) alike_[static_cast<std::size_t>(input)] = false;
          rows = set;
        }
  }

  std::vector<FieldTensor> draw() {
    const Graph& graph = program_.graph;
    std::vector<FieldTensor> inputs(graph.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].set = graph.inputs[i].set();
      inputs[i].values.resize(evaluator_.layout().size(inputs[i].set));
      for (std::size_t at = 0; at < inputs[i].values.size(); ++at) inputs[i].values[at] = element(i, at, 0);
    }
    if (kind_ == Inputs::progression) return inputs;
    for (std::uint32_t attempt = 1; attempt < kAttempts; ++attempt)
      if (settled(inputs, attempt)) return inputs;
    throw NoDraw("no inputs were found at which every root of " + program_.name + " exists");
  }

 private:
  static bool is_root(const Graph& graph, const Node& node) {
    if (node.op != Op::fn) return false;
    const Base base = graph.functions[node.fn].base;
    return base == Base::sqrt || base == Base::rsqrt;
  }

  Element element(std::size_t input, std::size_t at, std::uint32_t attempt) const {
    const Tensor& tensor = program_.graph.inputs[input];
    if (tensor.constant >= 0) return evaluator_.constant(tensor.constant);
    if (kind_ == Inputs::progression) return evaluator_.field().whole(static_cast<std::int64_t>(at));
    return evaluator_.field().drawn(
        mixed(mixed(evaluator_.draw().key(), hash_of(tensor.name)), std::uint64_t{attempt} << 40 ^ at));
  }

  /// True when every root and quotient of the program is there; else draws again what the first that is not
  /// depends on.
  bool settled(std::vector<FieldTensor>& inputs, std::uint32_t attempt) {
    const Graph& graph = program_.graph;
    const std::vector<IndexSet> shapes = shapes_of(graph, program_.output_set());
    std::vector<FieldTensor> values(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.op == Op::input) {
        values[i] = inputs[i];
        continue;
      }
      const FieldTensor& a = values[static_cast<std::size_t>(node.a)];
      if (evaluator_.non_square(node, a)) {
        again(node, a, inputs, attempt);
        return false;
      }
      evaluator_.apply(node, shapes[i], a, node.b < 0 ? nullptr : &values[static_cast<std::size_t>(node.b)],
                       values[i]);
      if (values[i].zero_divisor) {
        again_all(inputs, attempt);
        return false;
      }
    }
    return true;
  }

  void again_all(std::vector<FieldTensor>& inputs, std::uint32_t attempt) const {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t at = 0; at < inputs[i].values.size(); ++at)
        inputs[i].values[at] = element(i, at, attempt);
  }

  /// Rows of an input whose roots all are of such rows are independent, whatever the other inputs are:
  /// drawing those again that fail is drawing all rows until all hold, of which there would be little hope
  /// with many rows.
  void again(const Node& root, const FieldTensor& radicand, std::vector<FieldTensor>& inputs,
             std::uint32_t attempt) {
    const Graph& graph = program_.graph;
    std::vector<int> sources = cone(graph, root.a);
    std::erase_if(sources, [&](int input) {
      return !alike_[static_cast<std::size_t>(input)] ||
             !within(radicand.set, graph.inputs[static_cast<std::size_t>(input)].set());
    });
    if (sources.empty() || attempt % kAllAgain == 0) {
      again_all(inputs, attempt);
      return;
    }
    Layout& layout = evaluator_.layout();
    std::vector<bool> bad(radicand.values.size());
    FieldTensor one;
    one.set = 0;
    one.lost = radicand.lost;
    for (std::size_t row = 0; row < bad.size(); ++row) {
      one.values = {radicand.values[row]};
      bad[row] = evaluator_.non_square(root, one).has_value();
    }
    for (const int input : sources) {
      FieldTensor& tensor = inputs[static_cast<std::size_t>(input)];
      const std::vector<std::uint32_t>& row = layout.gather(tensor.set, radicand.set);
      for (std::size_t at = 0; at < tensor.values.size(); ++at)
        if (bad[row[at]]) tensor.values[at] = element(static_cast<std::size_t>(input), at, attempt);
    }
  }

  FieldEvaluator& evaluator_;
  const Program& program_;
  Inputs kind_;
  std::vector<std::optional<IndexSet>> rows_;  ///< of each input: the indices of roots that depend on it,
  std::vector<bool> alike_;                    ///< and whether they are those of all
};

}  // namespace

std::vector<FieldTensor> drawn_inputs(FieldEvaluator& evaluator, const Program& program, Inputs inputs) {
  return Drawer(evaluator, program, inputs).draw();
}

void add_inputs(FieldEvaluator& evaluator, const Graph& graph, std::vector<FieldTensor>& inputs) {
  Layout& layout = evaluator.layout();
  for (std::size_t i = inputs.size(); i < graph.inputs.size(); ++i) {
    const Tensor& tensor = graph.inputs[i];
    FieldTensor values;
    values.set = tensor.set();
    values.values.resize(layout.size(values.set));
    for (std::size_t at = 0; at < values.values.size(); ++at) {
      if (tensor.constant >= 0) {
        values.values[at] = evaluator.constant(tensor.constant);
        continue;
      }
      if (tensor.is_placed()) {  // one that the program has not: any elements will do
        values.values[at] =
            evaluator.field().drawn(mixed(mixed(evaluator.draw().key(), hash_of(tensor.name)), at));
        continue;
      }
      const Tensor& source = graph.inputs[static_cast<std::size_t>(tensor.view_of)];
      values.values[at] =
          inputs[static_cast<std::size_t>(tensor.view_of)].values[viewed(layout, tensor, source, at)];
    }
    inputs.push_back(values);
  }
}

std::size_t viewed(const Layout& layout, const Tensor& view, const Tensor& source, std::size_t at) {
  Extents places{};
  for (const std::uint8_t dim : view.dims) places[dim] = layout.coordinate(view.set(), at, dim);
  std::size_t place = 0;
  for (std::size_t dim = 0; dim < source.dims.size(); ++dim) {
    const std::int64_t extent = layout.extents()[source.dims[dim]];
    const std::int64_t value = view.view[dim].at(places, layout.extents()) % extent;
    place += static_cast<std::size_t>(value < 0 ? value + extent : value) *
             layout.stride(source.set(), source.dims[dim]);
  }
  return place;
}

}  // namespace workbook::opt
