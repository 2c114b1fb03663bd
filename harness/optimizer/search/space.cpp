// What a search is about: the operations that it tries, the values that it looks for.
#include <algorithm>

#include "optimizer/graph/order.h"
#include "optimizer/search/enumerate.h"

namespace workbook::opt {
namespace {

/// The operations that an equal graph may have: those of the program and of its lemmas, and what the axioms
/// make of them.
void collect(Space& space) {
  bool add = false, sub = false, mul = false, div = false, product = false, exp = false;
  std::vector<bool> over(kMaxIndices, false), max_over(kMaxIndices, false);
  bool max_of_two = false;
  std::vector<std::uint8_t> functions;
  for (const Graph* graph : space.goals)
    for (const Node& node : graph->nodes) switch (node.op) {
        case Op::input:
          break;
        case Op::add:
          add = true;
          break;
        case Op::sub:
          add = sub = true;
          break;
        case Op::mul:
          mul = true;
          break;
        case Op::div:
          div = mul = true;
          break;
        case Op::exp:
          exp = true;
          break;
        case Op::fn:
          functions.push_back(node.fn);
          break;
        case Op::max:
          if (node.b < 0)
            max_over[static_cast<std::size_t>(node.over)] = true;
          else
            max_of_two = true;
          break;
        case Op::sum:
        case Op::matmul:
          over[static_cast<std::size_t>(node.over)] = true;
          product = product || node.op == Op::matmul;
          break;
      }
  const auto indices = [](const std::vector<bool>& set, auto body) {
    for (int i = 0; i < kMaxIndices; ++i)
      if (set[static_cast<std::size_t>(i)]) body(static_cast<std::int8_t>(i));
  };
  auto& unary = space.unary;
  auto& binary = space.binary;
  if (exp) unary.push_back({Op::exp, 0, -1, -1, 0});
  for (const std::uint8_t fn : functions) unary.push_back({Op::fn, 0, -1, -1, fn});
  indices(over, [&](std::int8_t i) { unary.push_back({Op::sum, 0, -1, i, 0}); });
  indices(max_over, [&](std::int8_t i) { unary.push_back({Op::max, 0, -1, i, 0}); });
  const auto both_ways = [&](Op op) {
    binary.push_back({op, 1, 0, -1, 0});
    binary.push_back({op, 0, 1, -1, 0});
  };
  if (add) binary.push_back({Op::add, 0, 1, -1, 0});
  if (sub) both_ways(Op::sub);
  if (mul || product) binary.push_back({Op::mul, 0, 1, -1, 0});
  if (div) both_ways(Op::div);
  if (max_of_two) binary.push_back({Op::max, 0, 1, -1, 0});
  if (product || mul) indices(over, [&](std::int8_t i) { binary.push_back({Op::matmul, 0, 1, i, 0}); });
  const auto by_key = [](const Node& a, const Node& b) { return order_key(a) < order_key(b); };
  for (std::vector<Node>* list : {&unary, &binary}) {
    std::sort(list->begin(), list->end(), by_key);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

}  // namespace

Extents tiny_extents(const Program& program, int elsewhere) {
  Extents extents;
  extents.fill(1);
  const Graph& graph = program.graph;
  for (std::size_t i = 0; i < graph.indices.size(); ++i) extents[i] = elsewhere;
  // Exps below each node; a sum over them takes its index to 2.
  std::vector<bool> exps(graph.nodes.size(), false);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) continue;
    const bool below =
        exps[static_cast<std::size_t>(node.a)] || (node.b >= 0 && exps[static_cast<std::size_t>(node.b)]);
    const Base base = node.op == Op::fn ? graph.functions[node.fn].base : Base::identity;
    exps[i] = below || node.op == Op::exp || base == Base::silu || base == Base::gelu || base == Base::tanh;
    if (below && node.over >= 0) extents[static_cast<std::size_t>(node.over)] = 2;
  }
  return extents;
}

Space::Space(const Program& of, const Field& in, Draw first) : program(of), field(in), draw(first) {
  extents = tiny_extents(program);
  goals.push_back(&program.graph);
  for (const Graph& lemma : program.lemmas) goals.push_back(&lemma);
  FieldEvaluator evaluator(field, program.graph, extents, draw);
  inputs = drawn_inputs(evaluator, program, Inputs::uniform);
  const std::vector<FieldTensor> values = evaluate(evaluator, program.graph, program.output_set(), inputs);
  target = fingerprint(values[static_cast<std::size_t>(program.graph.output())]);
  needed = (1ull << program.graph.inputs.size()) - 1;
  for (const Graph* goal : goals) needed &= used_by_output(*goal);
  collect(*this);
}

}  // namespace workbook::opt
