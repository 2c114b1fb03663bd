// Puzzle 47, given: a tensor program as a graph over named indices, the programs that are searched, and how a
// graph is printed. An index is a letter: x[b,h] is the tensor "bh", and a sum over h takes the h away.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace graphs {

/// What a node computes of its operands. rms(h, x) is the root of the mean of squares over h, with its
/// epsilon; product(h, a, b) is sum(h, a * b), which needs no tensor for a * b.
enum class Op { input, add, mul, div, exp, silu, rms, sum, product };

struct Node {
  Op op = Op::input;
  int a = -1, b = -1;  ///< operands: numbers of earlier nodes; b is -1 where there is one
  int over = -1;       ///< the index that rms, sum and product sum over
  auto operator<=>(const Node&) const = default;
};

/// Inputs come first, each node after its operands; the last one is the result.
using Graph = std::vector<Node>;

using Indices = unsigned;  ///< a set of indices, one bit each
constexpr bool has(Indices set, int index) { return index >= 0 && (set >> index & 1u) != 0; }
constexpr Indices only(int index) { return index < 0 ? 0u : 1u << index; }
constexpr bool within(Indices part, Indices whole) { return (part & ~whole) == 0; }

struct Input {
  std::string name;
  std::string indices;  ///< in the order of the program's letters
};

struct Program {
  std::string name;
  std::string letters;    ///< of all indices: index 0 is letters[0]. Tensors lie in memory in this order
  std::vector<int> real;  ///< their extents at the real shape
  std::vector<int> tiny;  ///< those at which graphs are compared
  std::vector<Input> inputs;
  std::string output;  ///< the result's indices
  Graph graph;

  int index(char letter) const { return static_cast<int>(letters.find(letter)); }
  Indices set(const std::string& indices) const {
    Indices result = 0;
    for (const char letter : indices) result |= only(index(letter));
    return result;
  }
  int count() const { return static_cast<int>(inputs.size()); }
};

/// The indices of each node of a graph. A product has those of both operands, less the one it sums over.
inline Indices indices_of(const Node& node, const std::vector<Indices>& before, const Program& program) {
  if (node.op == Op::input) return program.set(program.inputs[static_cast<std::size_t>(node.a)].indices);
  Indices result = before[static_cast<std::size_t>(node.a)];
  if (node.b >= 0) result |= before[static_cast<std::size_t>(node.b)];
  return result & ~only(node.over);
}
inline std::vector<Indices> indices_of(const Graph& graph, const Program& program) {
  std::vector<Indices> result;
  for (const Node& node : graph) result.push_back(indices_of(node, result, program));
  return result;
}

/// Whether anything reads node `i`.
inline bool is_read(const Graph& graph, int i) {
  return std::any_of(graph.begin(), graph.end(),
                     [&](const Node& node) { return node.op != Op::input && (node.a == i || node.b == i); });
}

/// How often each node is read; a square reads its operand twice.
inline int times_read(const Graph& graph, int i) {
  int times = 0;
  for (const Node& node : graph)
    if (node.op != Op::input) times += (node.a == i ? 1 : 0) + (node.b == i ? 1 : 0);
  return times;
}

/// Node `i` as a formula: "sum(h, x * g * w) / rms(h, x)". What is read twice is written twice.
inline std::string formula(const Graph& graph, const Program& program, int i, int binds = 0) {
  const Node& node = graph[static_cast<std::size_t>(i)];
  const auto operand = [&](int of, int strength) { return formula(graph, program, of, strength); };
  const std::string over =
      node.over < 0 ? "" : std::string(1, program.letters[static_cast<std::size_t>(node.over)]) + ", ";
  const auto wrapped = [&](int strength, const std::string& text) {
    return binds > strength ? "(" + text + ")" : text;
  };
  switch (node.op) {
    case Op::input:
      return program.inputs[static_cast<std::size_t>(node.a)].name;
    case Op::add:
      return wrapped(1, operand(node.a, 1) + " + " + operand(node.b, 2));
    case Op::mul:
      return wrapped(2, operand(node.a, 2) + " * " + operand(node.b, 3));
    case Op::div:
      return wrapped(2, operand(node.a, 2) + " / " + operand(node.b, 3));
    case Op::exp:
      return "exp(" + operand(node.a, 0) + ")";
    case Op::silu:
      return "silu(" + operand(node.a, 0) + ")";
    case Op::rms:
      return "rms(" + over + operand(node.a, 0) + ")";
    case Op::sum:
      return "sum(" + over + operand(node.a, 0) + ")";
    case Op::product:
      return "sum(" + over + operand(node.a, 2) + " * " + operand(node.b, 3) + ")";
  }
  return "?";
}
inline std::string formula(const Graph& graph, const Program& program) {
  return formula(graph, program, static_cast<int>(graph.size()) - 1);
}

/// Builds graphs by hand: const int n = g.div(x, r); and so on. The last node made is the result.
class Builder {
 public:
  explicit Builder(const Program& program) : program_(program) {
    for (int i = 0; i < program.count(); ++i) graph_.push_back({Op::input, i});
  }
  int operator[](const std::string& name) const {
    for (int i = 0; i < program_.count(); ++i)
      if (program_.inputs[static_cast<std::size_t>(i)].name == name) return i;
    return -1;
  }
  int add(int a, int b) { return make({Op::add, a, b}); }
  int mul(int a, int b) { return make({Op::mul, a, b}); }
  int div(int a, int b) { return make({Op::div, a, b}); }
  int exp(int a) { return make({Op::exp, a}); }
  int silu(int a) { return make({Op::silu, a}); }
  int rms(char over, int a) { return make({Op::rms, a, -1, program_.index(over)}); }
  int sum(char over, int a) { return make({Op::sum, a, -1, program_.index(over)}); }
  int product(char over, int a, int b) { return make({Op::product, a, b, program_.index(over)}); }
  const Graph& graph() const { return graph_; }

 private:
  int make(const Node& node) {
    graph_.push_back(node);
    return static_cast<int>(graph_.size()) - 1;
  }
  const Program& program_;
  Graph graph_;
};

/// The programs of Puzzles 41 to 44, at the shapes that those are timed at.
inline Program rmsnorm_linear() {
  Program p{
      "rmsnorm_linear", "bho", {16, 4096, 6144}, {2, 2, 2}, {{"x", "bh"}, {"g", "h"}, {"w", "ho"}}, "bo", {}};
  Builder g(p);
  const int scaled = g.mul(g["x"], g["g"]), r = g.rms('h', g["x"]);
  g.product('h', g.div(scaled, r), g["w"]);
  p.graph = g.graph();
  return p;
}
inline Program lora_linear() {
  Program p{"lora_linear",
            "bhro",
            {16, 256, 16, 4096},
            {2, 2, 2, 2},
            {{"x", "bh"}, {"w", "ho"}, {"a", "hr"}, {"u", "ro"}},
            "bo",
            {}};
  Builder g(p);
  const int plain = g.product('h', g["x"], g["w"]), down = g.product('h', g["x"], g["a"]);
  g.add(plain, g.product('r', g["u"], down));
  p.graph = g.graph();
  return p;
}
inline Program gated_mlp() {
  Program p{"gated_mlp", "bho", {8, 4096, 4096}, {2, 2, 2}, {{"x", "bh"}, {"u", "ho"}, {"w", "ho"}},
            "bo",        {}};
  Builder g(p);
  const int gate = g.silu(g.product('h', g["x"], g["u"]));
  g.mul(gate, g.product('h', g["x"], g["w"]));
  p.graph = g.graph();
  return p;
}
inline Program qknorm_attention() {
  Program p{"qknorm_attention",
            "nstd",
            {2, 256, 4096, 64},
            {2, 2, 2, 2},
            {{"q", "nsd"}, {"k", "ntd"}, {"v", "ntd"}},
            "nsd",
            {}};
  Builder g(p);
  const int q_rms = g.rms('d', g["q"]), q = g.div(g["q"], q_rms);
  const int k_rms = g.rms('d', g["k"]), k = g.div(g["k"], k_rms);
  const int e = g.exp(g.product('d', q, k));
  const int l = g.sum('t', e);
  g.product('t', g.div(e, l), g["v"]);
  p.graph = g.graph();
  return p;
}

}  // namespace graphs
using namespace graphs;
