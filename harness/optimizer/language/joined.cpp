#include "optimizer/language/joined.h"

#include <algorithm>

namespace workbook::opt {
namespace {

template <class T>
int place_of(std::vector<T>& list, const T& value) {
  const auto at = std::find(list.begin(), list.end(), value);
  const int place = static_cast<int>(at - list.begin());
  if (at == list.end()) list.push_back(value);
  return place;
}

/// Graphs of the same indices in one: what is the same is there once.
class Joiner {
 public:
  explicit Joiner(const std::vector<Program>& programs) {
    graph_.indices = programs.front().graph.indices;
    for (const Program& program : programs) of_.push_back({&program.graph, {}, {}, {}, {}});
  }

  std::optional<Graph> run() {
    for (Of& of : of_) add_numbers(of), add_inputs(of), add_functions(of);
    for (int input = 0; input < static_cast<int>(graph_.inputs.size()); ++input)
      graph_.nodes.push_back({Op::input, static_cast<std::int8_t>(input), -1, -1, 0});
    for (Of& of : of_) add_nodes(of);
    const bool fits = graph_.nodes.size() <= kMaxNodes && graph_.inputs.size() <= kMaxInputs &&
                      graph_.functions.size() <= kMaxFunctions && graph_.constants.size() <= kMaxInputs;
    return fits ? std::optional(graph_) : std::nullopt;
  }

 private:
  struct Of {
    const Graph* graph;
    std::vector<int> constants, inputs, functions, nodes;  ///< where its are in the whole
  };

  void add_numbers(Of& of) {
    for (const Constant& constant : of.graph->constants)
      of.constants.push_back(place_of(graph_.constants, constant));
  }
  void add_inputs(Of& of) {
    for (Tensor tensor : of.graph->inputs) {
      if (tensor.constant >= 0) tensor.constant = of.constants[at(tensor.constant)];
      if (tensor.view_of >= 0) tensor.view_of = of.inputs[at(tensor.view_of)];
      for (Coordinate& coordinate : tensor.view)
        if (coordinate.by >= 0) coordinate.by = of.inputs[at(coordinate.by)];
      of.inputs.push_back(place_of(graph_.inputs, tensor));
    }
  }
  void add_functions(Of& of) {
    for (Function function : of.graph->functions) {
      if (function.times >= 0) function.times = static_cast<std::int8_t>(of.constants[at(function.times)]);
      if (function.plus >= 0) function.plus = static_cast<std::int8_t>(of.constants[at(function.plus)]);
      of.functions.push_back(place_of(graph_.functions, function));
    }
  }
  void add_nodes(Of& of) {
    of.nodes = of.inputs;
    for (std::size_t i = of.graph->inputs.size(); i < of.graph->nodes.size(); ++i) {
      Node node = of.graph->nodes[i];
      node.a = static_cast<std::int8_t>(of.nodes[at(node.a)]);
      if (node.b >= 0) node.b = static_cast<std::int8_t>(of.nodes[at(node.b)]);
      if (node.op == Op::fn) node.fn = static_cast<std::uint8_t>(of.functions[node.fn]);
      of.nodes.push_back(place_of(graph_.nodes, node));
    }
    graph_.outputs.push_back(of.nodes[at(of.graph->output())]);
  }
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  Graph graph_;
  std::vector<Of> of_;
};

bool has_product(const Program& program) {
  return std::any_of(program.graph.nodes.begin(), program.graph.nodes.end(),
                     [](const Node& node) { return node.op == Op::matmul; });
}

}  // namespace

std::optional<Program> joined(const std::vector<Program>& programs, const std::string& name) {
  IndexSet all = 0;
  for (const Program& program : programs) {
    if (!program.lemmas.empty() || !program.givens.empty() || has_product(program)) return std::nullopt;
    if (program.graph.indices != programs.front().graph.indices) return std::nullopt;
    all = static_cast<IndexSet>(all | program.output_set());
  }
  if (std::none_of(programs.begin(), programs.end(),
                   [&](const Program& program) { return program.output_set() == all; }))
    return std::nullopt;
  std::optional<Graph> graph = Joiner(programs).run();
  if (!graph) return std::nullopt;
  std::vector<int> outputs = graph->outputs;
  std::sort(outputs.begin(), outputs.end());
  if (std::adjacent_find(outputs.begin(), outputs.end()) != outputs.end()) return std::nullopt;
  Program whole = programs.front();
  whole.name = name;
  whole.graph = std::move(*graph);
  for (std::size_t i = 1; i < programs.size(); ++i) whole.others.push_back(programs[i].output(0));
  if (type_fault(whole.graph, whole.output_set())) return std::nullopt;
  return whole;
}

}  // namespace workbook::opt
