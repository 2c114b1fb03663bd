// Degrees and numbers of exponentials of graphs, for the bound in verify.h.
#include <algorithm>
#include <cmath>

#include "optimizer/judge/verify.h"

namespace workbook::opt {
namespace {

/// A quotient of sums of products of exponentials.
struct Size {
  double num = 0, den = 0;          ///< degrees
  double terms = 1, den_terms = 1;  ///< distinct products of exponentials
  IndexSet exp_set = 0;             ///< indices on which those of the numerator depend
  IndexSet den_set = 0;             ///< indices on which the denominator depends
  double inner = 0;                 ///< the largest degree of an exponent
  bool exp = false, roots = false, opaque = false;
};

Size joined(const Size& a, const Size& b) {
  Size result;
  result.den_set = a.den_set | b.den_set;
  result.exp_set = a.exp_set | b.exp_set;
  result.inner = std::max(a.inner, b.inner);
  result.exp = a.exp || b.exp;
  result.roots = a.roots || b.roots;
  result.opaque = a.opaque || b.opaque;
  return result;
}

Size added(const Size& a, const Size& b) {
  Size result = joined(a, b);
  result.num = std::max(a.num + b.den, b.num + a.den);
  result.den = a.den + b.den;
  if (result.exp) result.terms = a.terms * b.den_terms + b.terms * a.den_terms;
  result.den_terms = a.den_terms * b.den_terms;
  return result;
}

Size multiplied(const Size& a, const Size& b) {
  Size result = joined(a, b);
  result.num = a.num + b.num;
  result.den = a.den + b.den;
  result.terms = a.terms * b.terms;
  result.den_terms = a.den_terms * b.den_terms;
  return result;
}

Size divided(const Size& a, const Size& b, IndexSet set) {
  Size result = joined(a, b);
  result.num = a.num + b.den;
  result.den = a.den + b.num;
  result.terms = a.terms * b.den_terms;
  result.den_terms = a.den_terms * b.terms;
  result.den_set |= set;
  result.exp_set |= b.exp_set;
  return result;
}

Size summed(const Size& a, int over, double extent) {
  Size result = a;
  if (has(a.exp_set, over)) result.terms = extent * a.terms;
  result.exp_set = static_cast<IndexSet>(a.exp_set & ~only(over));
  if (!has(a.den_set, over)) return result;
  result.num = a.num + (extent - 1) * a.den;
  result.den = extent * a.den;
  result.terms *= std::pow(a.den_terms, extent - 1);
  result.den_terms = std::pow(a.den_terms, extent);
  result.den_set = static_cast<IndexSet>(a.den_set & ~only(over));
  return result;
}

/// Of degree 0 itself, with `terms` over `den_terms` exponentials of the exponent's multiples.
Size exponential(const Size& u, IndexSet set, double times, double terms, double den_terms) {
  Size result = u;
  result.opaque = u.opaque || u.exp;
  result.inner = std::max(u.inner, times * (u.num + u.den) + 1);
  result.num = result.den = 0;
  result.terms = terms;
  result.den_terms = den_terms;
  result.exp_set = set;
  result.den_set = den_terms > 1 ? set : IndexSet{0};
  result.exp = true;
  return result;
}

Size function(const Function& f, Size u, IndexSet set) {
  if (f.times >= 0) u.num += 1;
  if (f.plus >= 0) u.num = std::max(u.num, u.den + 1);
  switch (f.base) {
    case Base::identity:
      return u;
    case Base::sqrt:
    case Base::rsqrt: {
      Size root = u;
      root.roots = true;
      root.opaque = u.opaque || u.terms > 1 || u.den_terms > 1;
      root.num = std::ceil((u.num + u.den) / 2);
      return f.base == Base::sqrt ? root : divided(Size{}, root, set);
    }
    case Base::silu:
      return multiplied(u, exponential(u, set, 1, 1, 2));
    case Base::tanh:
      return exponential(u, set, 2, 2, 2);
    case Base::gelu:
      return multiplied(u, exponential(u, set, 4, 1, 2));
    default:
      break;
  }
  u.opaque = true;
  return u;
}

Size size_of_graph(const Graph& graph, IndexSet output, const Extents& extents) {
  const std::vector<IndexSet> shapes = shapes_of(graph, output);
  std::vector<Size> sizes(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) {
      sizes[i].num = 1;
      continue;
    }
    const Size& a = sizes[static_cast<std::size_t>(node.a)];
    const Size b = node.b < 0 ? Size{} : sizes[static_cast<std::size_t>(node.b)];
    const double extent = node.over < 0 ? 1 : extents[static_cast<std::size_t>(node.over)];
    switch (node.op) {
      case Op::input:
        break;
      case Op::add:
      case Op::sub:
        sizes[i] = added(a, b);
        break;
      case Op::mul:
        sizes[i] = multiplied(a, b);
        break;
      case Op::div:
        sizes[i] = divided(a, b, node.b < 0 ? IndexSet{0} : shapes[static_cast<std::size_t>(node.b)]);
        break;
      case Op::exp:
        sizes[i] = exponential(a, shapes[i], 1, 1, 1);
        break;
      case Op::fn:
        sizes[i] = function(graph.functions[node.fn], a, shapes[static_cast<std::size_t>(node.a)]);
        break;
      case Op::sum:
        sizes[i] = summed(a, node.over, extent);
        break;
      case Op::matmul:
        sizes[i] = summed(multiplied(a, b), node.over, extent);
        break;
      case Op::max:
        sizes[i] = joined(a, b);
        sizes[i].opaque = true;
        break;
    }
  }
  return sizes[static_cast<std::size_t>(graph.output())];
}

}  // namespace

Difference difference_of(const Program& program, const Graph& graph, const Extents& extents) {
  const Size a = size_of_graph(program.graph, program.output_set(), extents);
  const Size b = size_of_graph(graph, program.output_set(), extents);
  Difference result;
  result.degree = std::max({a.num + b.den, b.num + a.den, a.inner, b.inner});
  result.roots = a.roots || b.roots;
  result.opaque = a.opaque || b.opaque;
  if (a.exp || b.exp) result.exponentials = a.terms * b.den_terms + b.terms * a.den_terms;
  return result;
}

}  // namespace workbook::opt
