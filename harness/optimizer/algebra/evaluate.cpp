#include "optimizer/algebra/evaluate.h"

#include <algorithm>
#include <bit>

namespace workbook::opt {

std::size_t size_of(IndexSet set, const Extents& extents) {
  std::size_t size = 1;
  for (int index = 0; index < kMaxIndices; ++index)
    if (has(set, index)) size *= static_cast<std::size_t>(extents[static_cast<std::size_t>(index)]);
  return size;
}

std::size_t Layout::stride(IndexSet set, int index) const {
  return size_of(static_cast<IndexSet>(set & ~((2u << index) - 1)), extents_);
}

const std::vector<std::uint32_t>& Layout::gather(IndexSet result, IndexSet operand) {
  std::vector<std::uint32_t>& places = gathers_[std::uint32_t{result} << 16 | operand];
  if (!places.empty()) return places;
  places.assign(1, 0);
  for (const int index : members(result)) {
    const std::size_t step = has(operand, index) ? stride(operand, index) : 0;
    const auto extent = static_cast<std::size_t>(extents_[static_cast<std::size_t>(index)]);
    std::vector<std::uint32_t> longer;
    longer.reserve(places.size() * extent);
    for (const std::uint32_t place : places)
      for (std::size_t i = 0; i < extent; ++i) longer.push_back(static_cast<std::uint32_t>(place + i * step));
    places = std::move(longer);
  }
  return places;
}

FieldEvaluator::FieldEvaluator(const Field& field, const Graph& graph, const Extents& extents, Draw draw)
    : field_(field), graph_(graph), layout_(extents), draw_(draw) {
  w_ = 1 + field.q().reduce(mixed(draw.key(), 0x77)) % (field.q().prime() - 1);
  for (const Constant& constant : graph.constants) {
    const double value = constant.value;
    const auto whole = static_cast<std::int64_t>(std::clamp(value, -1e9, 1e9));
    constants_.push_back(constant.steps.empty() && static_cast<double>(whole) == value
                             ? field.whole(whole)
                             : field.drawn(mixed(draw.key(), hash_of("constant " + constant.name))));
  }
}

Element FieldEvaluator::exponential(Element x, bool lost, bool& hashed) const {
  if (!lost) return {field_.exp(x.q, w_), 0};
  hashed =
      true;  // the fields know no exp of an exp: any function of the value will do, if it is always the same
  return {field_.p().reduce(mixed(mixed(draw_.key(), 0xe), x.p)), 0};
}

Element FieldEvaluator::divided(Element a, Element b, bool lost, bool& zero) const {
  if (b.p == 0 || (!lost && b.q == 0)) zero = true;
  return {field_.p().mul(a.p, field_.p().inverse(b.p)),
          lost ? 0 : field_.q().mul(a.q, field_.q().inverse(b.q))};
}

Element FieldEvaluator::affine(const Function& f, Element x) const {
  const Modulus &p = field_.p(), &q = field_.q();
  if (f.times >= 0) x = {p.mul(x.p, constant(f.times).p), q.mul(x.q, constant(f.times).q)};
  if (f.mean >= 0) {
    const Element n = field_.whole(layout_.extents()[static_cast<std::size_t>(f.mean)]);
    x = {p.mul(x.p, p.inverse(n.p)), q.mul(x.q, q.inverse(n.q))};
  }
  if (f.plus >= 0) x = {p.add(x.p, constant(f.plus).p), q.add(x.q, constant(f.plus).q)};
  return x;
}

Element FieldEvaluator::function(const Function& f, Element x, bool& lost, bool& hashed, bool& zero) const {
  const Modulus &p = field_.p(), &q = field_.q();
  x = affine(f, x);
  const auto negative = [&](Element e) { return Element{p.sub(0, e.p), q.sub(0, e.q)}; };
  const auto twice = [&](Element e) { return Element{p.add(e.p, e.p), q.add(e.q, e.q)}; };
  const auto product = [&](Element a, Element b) { return Element{p.mul(a.p, b.p), q.mul(a.q, b.q)}; };
  const auto tanh = [&](Element u) {  // 1 - 2 / (exp 2u + 1)
    const Element e = exponential(twice(u), lost, hashed);
    const Element quotient = divided({2, 0}, {p.add(e.p, 1), 0}, true, zero);
    return Element{p.sub(1, quotient.p), 0};
  };
  switch (f.base) {
    case Base::identity:
      return x;
    case Base::sqrt:
      return {p.root(x.p), lost ? 0 : q.root(x.q)};
    case Base::rsqrt:
      return divided({1, 1}, {p.root(x.p), lost ? 0 : q.root(x.q)}, lost, zero);
    case Base::silu: {  // x / (1 + exp -x)
      const Element e = exponential(negative(x), lost, hashed);
      lost = true;
      return divided(x, {p.add(e.p, 1), 0}, true, zero);
    }
    case Base::tanh: {
      const Element result = tanh(x);
      lost = true;
      return result;
    }
    case Base::gelu: {  // x/2 (1 + tanh(c (x + 0.044715 x^3))), the constants being any two elements
      const Element c = field_.drawn(mixed(draw_.key(), hash_of("sqrt(2/pi)")));
      const Element d = field_.drawn(mixed(draw_.key(), hash_of("0.044715")));
      const Element cube = product(d, product(x, product(x, x)));
      const Element result = tanh(product(c, {p.add(x.p, cube.p), q.add(x.q, cube.q)}));
      lost = true;
      return divided(product(x, {p.add(result.p, 1), 0}), {2, 0}, true, zero);
    }
    default:
      break;
  }
  hashed = true;  // not a matter of arithmetic: any function will do
  const std::uint64_t key = mixed(mixed(draw_.key(), hash_of(name_of(f.base))), x.p);
  return {p.reduce(mixed(key, lost ? 0 : x.q)), lost ? 0 : q.reduce(mixed(key, x.q + 1ull))};
}

void FieldEvaluator::apply(const Node& node, IndexSet shape, const FieldTensor& a, const FieldTensor* b,
                           FieldTensor& result) {
  const Modulus &p = field_.p(), &q = field_.q();
  result.set = shape;
  result.lost = a.lost || (b != nullptr && b->lost) || node.op == Op::exp;
  result.hashed = a.hashed || (b != nullptr && b->hashed);
  result.zero_divisor = a.zero_divisor || (b != nullptr && b->zero_divisor);
  const std::size_t size = layout_.size(shape);
  result.values.resize(size);
  const std::vector<std::uint32_t>& from_a = layout_.gather(shape, a.set);
  const std::vector<std::uint32_t>* from_b = b != nullptr ? &layout_.gather(shape, b->set) : nullptr;
  const auto x = [&](std::size_t i) { return a.values[from_a[i]]; };
  const auto y = [&](std::size_t i) { return b->values[(*from_b)[i]]; };
  const auto each = [&](auto operation) {
    for (std::size_t i = 0; i < size; ++i) result.values[i] = operation(i);
  };
  const bool lost = result.lost;
  const auto extent =
      node.over < 0 ? 0 : static_cast<std::size_t>(layout_.extents()[static_cast<std::size_t>(node.over)]);
  const auto larger = [](Element u, Element v) {
    return u.p != v.p ? (u.p > v.p ? u : v) : (u.q > v.q ? u : v);
  };
  switch (node.op) {
    case Op::input:
      break;
    case Op::add:
      each([&](std::size_t i) { return Element{p.add(x(i).p, y(i).p), q.add(x(i).q, y(i).q)}; });
      break;
    case Op::sub:
      each([&](std::size_t i) { return Element{p.sub(x(i).p, y(i).p), q.sub(x(i).q, y(i).q)}; });
      break;
    case Op::mul:
      each([&](std::size_t i) { return Element{p.mul(x(i).p, y(i).p), q.mul(x(i).q, y(i).q)}; });
      break;
    case Op::div:
      each([&](std::size_t i) { return divided(x(i), y(i), lost, result.zero_divisor); });
      break;
    case Op::exp:
      each([&](std::size_t i) { return exponential(x(i), a.lost, result.hashed); });
      break;
    case Op::fn: {
      bool now_lost = a.lost;
      each([&](std::size_t i) {
        now_lost = a.lost;
        return function(graph_.functions[node.fn], x(i), now_lost, result.hashed, result.zero_divisor);
      });
      result.lost = now_lost;
      break;
    }
    case Op::sum: {
      const std::size_t step = layout_.stride(a.set, node.over);
      each([&](std::size_t i) {
        Element sum;
        for (std::size_t k = 0; k < extent; ++k) {
          const Element next = a.values[from_a[i] + k * step];
          sum = {p.add(sum.p, next.p), q.add(sum.q, next.q)};
        }
        return sum;
      });
      break;
    }
    case Op::matmul: {
      const std::size_t step_a = layout_.stride(a.set, node.over), step_b = layout_.stride(b->set, node.over);
      each([&](std::size_t i) {
        Element sum;
        for (std::size_t k = 0; k < extent; ++k) {
          const Element u = a.values[from_a[i] + k * step_a], v = b->values[(*from_b)[i] + k * step_b];
          sum = {p.add(sum.p, p.mul(u.p, v.p)), lost ? 0 : q.add(sum.q, q.mul(u.q, v.q))};
        }
        return sum;
      });
      break;
    }
    case Op::max:
      if (b != nullptr) {
        each([&](std::size_t i) { return larger(x(i), y(i)); });
        break;
      }
      each([&](std::size_t i) {
        Element best = a.values[from_a[i]];
        const std::size_t step = layout_.stride(a.set, node.over);
        for (std::size_t k = 1; k < extent; ++k) best = larger(best, a.values[from_a[i] + k * step]);
        return best;
      });
      break;
  }
  if (result.lost)
    for (Element& value : result.values) value.q = 0;
}

std::optional<std::size_t> FieldEvaluator::non_square(const Node& node, const FieldTensor& a) {
  if (node.op != Op::fn) return std::nullopt;
  const Function& f = graph_.functions[node.fn];
  if (f.base != Base::sqrt && f.base != Base::rsqrt) return std::nullopt;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const Element x = affine(f, a.values[i]);
    if (!field_.p().square(x.p) || (!a.lost && !field_.q().square(x.q))) return i;
  }
  return std::nullopt;
}

Fingerprint fingerprint(const FieldTensor& tensor) {
  Fingerprint result{tensor.set, 0x5bd1e995};
  for (const Element& value : tensor.values) {
    const std::uint64_t both = std::uint64_t{value.p} << 32 | value.q;
    result.low = mixed(result.low, both);
    result.high = mixed(result.high ^ both, both >> 7);
  }
  return result;
}

std::vector<FieldTensor> evaluate(FieldEvaluator& evaluator, const Graph& graph, IndexSet output,
                                  const std::vector<FieldTensor>& inputs) {
  const std::vector<IndexSet> shapes = shapes_of(graph, output);
  std::vector<FieldTensor> values(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == Op::input) {
      values[i] = inputs[i];
      continue;
    }
    evaluator.apply(node, shapes[i], values[static_cast<std::size_t>(node.a)],
                    node.b < 0 ? nullptr : &values[static_cast<std::size_t>(node.b)], values[i]);
  }
  return values;
}

}  // namespace workbook::opt
