#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "optimizer/language/text.h"

namespace workbook::opt {
namespace {

/// How tightly the outermost operator of a text binds.
enum Binding { kSum = 1, kProduct = 2, kAtom = 3 };
struct Written {
  std::string text;
  Binding binding = kAtom;
};

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph), names_(graph.nodes.size()) {
    std::vector<int> uses(graph.nodes.size(), 0);
    for (std::size_t i = graph.inputs.size(); i < graph.nodes.size(); ++i)
      for (const std::int8_t operand : {graph.nodes[i].a, graph.nodes[i].b})
        if (operand >= 0) ++uses[static_cast<std::size_t>(operand)];
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) names_[i] = graph.inputs[i].name;
    for (const Index& index : graph.indices) taken_.insert(index.name);
    for (const Constant& constant : graph.constants) taken_.insert(constant.name);
    for (const std::string& name : names_) taken_.insert(name);
    for (std::size_t i = graph.inputs.size(); i < graph.nodes.size(); ++i)
      if (uses[i] > 1) shared_.push_back(static_cast<int>(i));
    // A sum of a named product stays one: written in one line it would be read as a matrix product.
    for (std::size_t i = graph.inputs.size(); i < graph.nodes.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.op == Op::sum && graph.nodes[at(node.a)].op == Op::mul && uses[at(node.a)] == 1 &&
          graph.nodes[at(node.a)].a != graph.nodes[at(node.a)].b)
        shared_.push_back(node.a);
    }
    std::sort(shared_.begin(), shared_.end());
  }

  void reserve(const std::string& name) { taken_.insert(name); }
  /// Names for what is written apart: t1, t2, ...
  void name_shared() {
    int next = 1;
    for (const int node : shared_) {
      std::string name;
      do name = fmt::format("t{}", next++);
      while (taken_.contains(name));
      names_[at(node)] = name;
    }
  }
  const std::vector<int>& shared() const { return shared_; }
  const std::string& name(int node) const { return names_[at(node)]; }
  void set_name(int node, std::string name) { names_[at(node)] = std::move(name); }

  /// Of a node as an expression, also where it has a name.
  Written body(int number) const {
    const Node& node = graph_.nodes[at(number)];
    switch (node.op) {
      case Op::input:
        return {names_[at(number)]};
      case Op::add:
        return two(node, " + ", kSum, kSum, kProduct);
      case Op::sub:
        return two(node, " - ", kSum, kSum, kProduct);
      case Op::mul:
        return two(node, " * ", kProduct, kProduct, kAtom);
      case Op::div:
        return two(node, " / ", kProduct, kProduct, kAtom);
      case Op::exp:
        return {"exp(" + operand(node.a).text + ")"};
      case Op::sum:
        return {fmt::format("sum({}, {})", index(node.over), operand(node.a).text)};
      case Op::matmul:
        return {
            fmt::format("sum({}, {})", index(node.over), two(node, " * ", kProduct, kProduct, kAtom).text)};
      case Op::max:
        return {node.b < 0 ? fmt::format("max({}, {})", index(node.over), operand(node.a).text)
                           : fmt::format("max({}, {})", operand(node.a).text, operand(node.b).text)};
      case Op::fn:
        break;
    }
    return function(node);
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  const std::string& index(int number) const { return graph_.indices[at(number)].name; }
  const std::string& constant(int number) const { return graph_.constants[at(number)].name; }

  Written operand(int number) const {
    return names_[at(number)].empty() ? body(number) : Written{names_[at(number)]};
  }
  static std::string held(const Written& written, Binding least) {
    return written.binding < least ? "(" + written.text + ")" : written.text;
  }
  Written two(const Node& node, const char* sign, Binding own, Binding left, Binding right) const {
    Written first = operand(node.a), second = operand(node.b);
    // The same with fewer parentheses.
    if (node.op != Op::sub && node.op != Op::div && second.binding < right && first.binding == kAtom)
      std::swap(first, second);
    return {held(first, left) + sign + held(second, right), own};
  }

  Written function(const Node& node) const {
    const Function& function = graph_.functions[node.fn];
    Written inner = operand(node.a);
    const Node& sum = graph_.nodes[at(node.a)];
    int mean = function.mean;
    if (mean >= 0 && function.times < 0 && names_[at(node.a)].empty() && sum.over == mean &&
        (sum.op == Op::sum || sum.op == Op::matmul)) {
      inner = {"mean" + inner.text.substr(3)};
      mean = -1;
    }
    if (function.times >= 0) inner = {held(inner, kProduct) + " * " + constant(function.times), kProduct};
    if (mean >= 0) inner = {held(inner, kProduct) + " / " + index(mean), kProduct};
    if (function.plus >= 0) inner = {inner.text + " + " + constant(function.plus), kSum};
    if (function.base == Base::identity) return inner;
    return {fmt::format("{}({})", name_of(function.base), inner.text)};
  }

  const Graph& graph_;
  std::vector<std::string> names_;
  std::vector<int> shared_;
  std::set<std::string> taken_;
};

std::string dims_text(const Graph& graph, const std::vector<std::uint8_t>& dims) {
  std::string text;
  for (const std::uint8_t dim : dims) text += (text.empty() ? "" : ",") + graph.indices[dim].name;
  return dims.empty() ? "" : "[" + text + "]";
}

std::string assignments(const Graph& graph, const std::string& output, const std::string& word = "") {
  Printer printer(graph);
  printer.reserve(output);
  printer.name_shared();
  std::string text;
  for (const int node : printer.shared())
    if (node != graph.output()) text += fmt::format("{} = {}\n", printer.name(node), printer.body(node).text);
  return text + fmt::format("{}{} = {}\n", word, output, printer.body(graph.output()).text);
}

}  // namespace

std::string formula(const Graph& graph) {
  Printer printer(graph);
  printer.name_shared();
  std::string text = printer.body(graph.output()).text;
  for (const int node : printer.shared())
    if (node != graph.output()) text += fmt::format(", {} = {}", printer.name(node), printer.body(node).text);
  return text;
}

std::string formulas(const Program& program, const Graph& graph) {
  if (graph.outputs.size() == 1) return fmt::format("{} = {}", program.output_name, formula(graph));
  std::string text;
  for (int i = 0; i < static_cast<int>(graph.outputs.size()); ++i)
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", program.output(i).name,
                        formula(canonical(only_output(graph, i))));
  return text;
}

std::string node_text(const Graph& graph, int node) {
  Printer printer(graph);
  for (int i = static_cast<int>(graph.inputs.size()); i < static_cast<int>(graph.nodes.size()); ++i)
    printer.set_name(i, fmt::format("t{}", i - static_cast<int>(graph.inputs.size()) + 1));
  return printer.body(node).text;
}

std::string graph_text(const Program& program, const Graph& graph) {
  return assignments(graph, program.output_name) +
         fmt::format("output {}{}\n", program.output_name, dims_text(graph, program.output_dims));
}

}  // namespace workbook::opt
