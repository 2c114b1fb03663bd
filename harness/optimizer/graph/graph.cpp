#include "optimizer/graph/graph.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include "optimizer/graph/order.h"
#include "optimizer/graph/unary.h"

namespace workbook::opt {

std::vector<int> members(IndexSet set) {
  std::vector<int> found;
  for (int index = 0; index < kMaxIndices; ++index)
    if (has(set, index)) found.push_back(index);
  return found;
}

std::string_view name_of(Storage storage) {
  static constexpr std::string_view kNames[] = {"f16", "bf16", "f32", "i32"};
  return kNames[static_cast<int>(storage)];
}

void add_terms(std::vector<Placed::Term>& terms, const std::vector<Placed::Term>& more, std::int32_t times) {
  for (const Placed::Term& term : more) {
    const auto at = std::lower_bound(terms.begin(), terms.end(), term,
                                     [](const auto& one, const auto& two) { return one.index < two.index; });
    if (at != terms.end() && at->index == term.index)
      at->times += times * term.times;
    else
      terms.insert(at, {term.index, times * term.times});
  }
  std::erase_if(terms, [](const Placed::Term& term) { return term.times == 0; });
}

IndexSet Placed::set() const {
  IndexSet found = 0;
  for (const Term& term : terms) found |= only(term.index);
  return found;
}

std::int32_t Placed::times(int index) const {
  for (const Term& term : terms)
    if (term.index == index) return term.times;
  return 0;
}

double Placed::value(const std::array<std::int32_t, kMaxIndices>& at) const {
  std::int64_t sum = plus;
  for (const Term& term : terms) sum += std::int64_t{term.times} * at[term.index];
  if (!compares()) return static_cast<double>(sum);
  const bool holds = kind == not_negative ? sum >= 0 : (sum == 0) == (kind == zero);
  if (hides) return holds ? 0.0 : -std::numeric_limits<double>::infinity();
  return holds ? 1.0 : 0.0;
}

std::int64_t Coordinate::at(const std::array<std::int32_t, kMaxIndices>& place,
                            const std::array<std::int32_t, kMaxIndices>& extents) const {
  auto sum = static_cast<std::int64_t>(line.value(place));
  for (const Placed::Term& size : sizes) sum += std::int64_t{size.times} * extents[size.index];
  return sum >= 0 ? sum / divide : -((divide - 1 - sum) / divide);
}

std::string_view name_of(Base base) { return unary(base).name; }

IndexSet Tensor::set() const {
  IndexSet found = 0;
  for (const std::uint8_t index : dims) found |= only(index);
  return found;
}

std::optional<IndexSet> shape_of(const Node& node, IndexSet a, IndexSet b, IndexSet output) {
  const IndexSet both = a | b;
  switch (node.op) {
    case Op::exp:
    case Op::fn:
      return a;
    case Op::max:
      if (node.b >= 0) break;
      [[fallthrough]];
    case Op::sum:
      if (!has(a, node.over)) return std::nullopt;
      return static_cast<IndexSet>(a & ~only(node.over));
    case Op::matmul:
      if (a == b || !has(a, node.over) || !has(b, node.over)) return std::nullopt;
      return static_cast<IndexSet>(both & ~only(node.over));
    default:
      break;
  }
  if (both != a && both != b && both != output) return std::nullopt;
  return both;
}

std::vector<IndexSet> shapes_of(const Graph& graph, IndexSet output) {
  std::vector<IndexSet> shapes;
  for (const Node& node : graph.nodes) {
    const auto shape = [&](int operand) {
      return operand < 0 ? IndexSet{0} : shapes[static_cast<std::size_t>(operand)];
    };
    shapes.push_back(node.op == Op::input ? graph.inputs[static_cast<std::size_t>(node.a)].set()
                                          : shape_of(node, shape(node.a), shape(node.b), output).value_or(0));
  }
  return shapes;
}

std::string names_of(const Graph& graph, IndexSet set) {
  const std::vector<int> found = members(set);
  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i)
    text += (i == 0                  ? ""
             : i + 1 == found.size() ? " and "
                                     : ", ") +
            graph.indices[static_cast<std::size_t>(found[i])].name;
  return found.empty() ? "no index" : text;
}

std::optional<TypeFault> type_fault(const Graph& graph, IndexSet output) {
  std::vector<IndexSet> shapes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) {
      shapes.push_back(graph.inputs[static_cast<std::size_t>(node.a)].set());
      continue;
    }
    const IndexSet a = shapes[static_cast<std::size_t>(node.a)];
    const IndexSet b = node.b < 0 ? IndexSet{0} : shapes[static_cast<std::size_t>(node.b)];
    const auto shape = shape_of(node, a, b, output);
    if (shape) {
      shapes.push_back(*shape);
      continue;
    }
    TypeFault fault{static_cast<int>(i), {}};
    const auto name = [&](int index) { return graph.indices[static_cast<std::size_t>(index)].name; };
    if (node.over >= 0 && (!has(a, node.over) || (node.b >= 0 && !has(b, node.over))))
      fault.sentence = "it sums over " + name(node.over) + ", and what it sums has " +
                       names_of(graph, has(a, node.over) ? b : a);
    else if (node.op == Op::matmul)
      fault.sentence = "both factors have " + names_of(graph, a) + ": multiply them first, then sum";
    else
      fault.sentence = "one side has " + names_of(graph, a & ~b) + " and the other " +
                       names_of(graph, b & ~a) + ": only a sum over an index that both have may join such";
    return fault;
  }
  return std::nullopt;
}

std::uint64_t used_by_output(const Graph& graph) {
  std::uint64_t used = 0;
  for (const int output : graph.outputs) used |= 1ull << output;
  for (int i = static_cast<int>(graph.nodes.size()) - 1; i >= static_cast<int>(graph.inputs.size()); --i) {
    const Node& node = graph.nodes[static_cast<std::size_t>(i)];
    if ((used >> i & 1) == 0) continue;
    if (node.a >= 0) used |= 1ull << node.a;
    if (node.b >= 0) used |= 1ull << node.b;
  }
  return used;
}

Graph canonical(const Graph& graph) {
  Graph result = graph;
  const int inputs = static_cast<int>(graph.inputs.size());
  std::vector<int> place(graph.nodes.size(), -1);
  result.nodes.resize(static_cast<std::size_t>(inputs));
  for (int i = 0; i < inputs; ++i) place[static_cast<std::size_t>(i)] = i;
  const std::uint64_t wanted = used_by_output(graph);
  // Always the ready node with the smallest key: what becomes ready later uses a later node.
  for (;;) {
    int best = -1;
    Node best_node;
    for (int i = inputs; i < static_cast<int>(graph.nodes.size()); ++i) {
      Node node = graph.nodes[static_cast<std::size_t>(i)];
      if ((wanted >> i & 1) == 0 || place[static_cast<std::size_t>(i)] >= 0) continue;
      node.a = static_cast<std::int8_t>(place[static_cast<std::size_t>(node.a)]);
      if (node.a < 0) continue;
      if (node.b >= 0) {
        node.b = static_cast<std::int8_t>(place[static_cast<std::size_t>(node.b)]);
        if (node.b < 0) continue;
        if (commutes(node.op) && node.a > node.b) std::swap(node.a, node.b);
      }
      if (best < 0 || order_key(node) < order_key(best_node)) best = i, best_node = node;
    }
    if (best < 0) break;
    // The same node twice: one will do.
    int twin = -1;
    for (std::size_t i = 0; i < result.nodes.size(); ++i)
      if (result.nodes[i] == best_node && best_node.op != Op::input) twin = static_cast<int>(i);
    place[static_cast<std::size_t>(best)] = twin >= 0 ? twin : static_cast<int>(result.nodes.size());
    if (twin < 0) result.nodes.push_back(best_node);
  }
  result.outputs.clear();
  for (const int output : graph.outputs) result.outputs.push_back(place[static_cast<std::size_t>(output)]);
  return result;
}

namespace {

double extent_product(const Graph& graph, IndexSet set) {
  double product = 1;
  for (const int index : members(set))
    product *= static_cast<double>(graph.indices[static_cast<std::size_t>(index)].real);
  return product;
}

}  // namespace

Work work_of(const Program& program, const Graph& graph) {
  Work work;
  const std::vector<IndexSet> shapes = shapes_of(graph, program.output_set());
  std::vector<int> passes(graph.nodes.size(), 0);
  for (const Given& given : program.givens)
    if (static_cast<std::size_t>(given.input) < graph.inputs.size()) {
      Program part;
      part.output_dims = graph.inputs[static_cast<std::size_t>(given.input)].dims;
      passes[static_cast<std::size_t>(given.input)] = work_of(part, given.graph).passes;
    }
  const double item = program.output_storage == Storage::f32 ? 4 : 2;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) continue;
    const auto at = [](std::int8_t operand) { return static_cast<std::size_t>(operand); };
    passes[i] = passes[at(node.a)];
    if (node.b >= 0) passes[i] = std::max(passes[i], passes[at(node.b)]);
    double elements = extent_product(graph, shapes[i]);
    work.bytes += item * (elements + extent_product(graph, shapes[at(node.a)]) +
                          (node.b >= 0 ? extent_product(graph, shapes[at(node.b)]) : 0));
    if (node.over >= 0) {
      elements *= extent_product(graph, only(node.over));
      ++passes[i];
    }
    (node.op == Op::matmul ? work.product_flops : work.other_flops) +=
        (node.op == Op::matmul ? 2 : 1) * elements;
  }
  work.passes = passes[static_cast<std::size_t>(graph.output())];
  return work;
}

Graph expanded(const Program& program, const Graph& graph) {
  Graph result = graph;
  result.inputs.clear();
  result.nodes.clear();
  std::vector<int> place(graph.nodes.size(), -1);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (graph.inputs[i].given) continue;
    place[i] = static_cast<int>(result.inputs.size());
    result.inputs.push_back(graph.inputs[i]);
    Tensor& tensor = result.inputs.back();
    if (tensor.view_of >= 0) tensor.view_of = place[static_cast<std::size_t>(tensor.view_of)];
    for (Coordinate& coordinate : tensor.view)
      if (coordinate.by >= 0) coordinate.by = place[static_cast<std::size_t>(coordinate.by)];
    result.nodes.push_back({Op::input, static_cast<std::int8_t>(place[i]), -1, -1, 0});
  }
  const auto append = [&](const Graph& part, std::vector<int>& where) {
    for (std::size_t i = part.inputs.size(); i < part.nodes.size(); ++i) {
      Node node = part.nodes[i];
      node.a = static_cast<std::int8_t>(where[static_cast<std::size_t>(node.a)]);
      if (node.b >= 0) node.b = static_cast<std::int8_t>(where[static_cast<std::size_t>(node.b)]);
      const auto twin = std::find(result.nodes.begin(), result.nodes.end(), node);
      where[i] = static_cast<int>(twin - result.nodes.begin());
      if (twin == result.nodes.end()) result.nodes.push_back(node);
    }
  };
  for (const Given& given : program.givens) {  // in their order: a later one may use an earlier one
    std::vector<int> where = place;
    where.resize(given.graph.nodes.size(), -1);
    append(given.graph, where);
    place[static_cast<std::size_t>(given.input)] = where[static_cast<std::size_t>(given.graph.output())];
  }
  append(graph, place);
  result.outputs.clear();
  for (const int output : graph.outputs) result.outputs.push_back(place[static_cast<std::size_t>(output)]);
  return result;
}

}  // namespace workbook::opt
