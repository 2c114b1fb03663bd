// Puzzle 47, given: elements of two finite fields, tensors of such elements, and what the learner's functions
// on them are called.
#pragma once

#include "graph.h"

namespace graphs {

/// q and p = 2q + 1 are primes. An element is a number modulo p beside a number modulo q.
constexpr std::uint32_t kQ = 1'073'740'571, kP = 2 * kQ + 1;
/// kBase^0, kBase^1, ... modulo p begin again after q steps: exponents of kBase are numbers modulo q.
constexpr std::uint32_t kBase = 4;

struct Element {
  std::uint32_t p = 0, q = 0;
  bool lost = false;  ///< the part modulo q means nothing any more: an exp is in it
};

inline std::uint32_t multiply(std::uint32_t a, std::uint32_t b, std::uint32_t prime) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b % prime);
}
inline Element multiply(Element a, Element b) {
  return {multiply(a.p, b.p, kP), multiply(a.q, b.q, kQ), a.lost || b.lost};
}
inline Element add(Element a, Element b) {
  return {static_cast<std::uint32_t>((std::uint64_t{a.p} + b.p) % kP), (a.q + b.q) % kQ, a.lost || b.lost};
}
inline bool same(Element a, Element b) { return a.p == b.p && (a.lost || b.lost || a.q == b.q); }

/// Mixes two numbers into one each bit of which depends on all: SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ull + b + 0x632be59bd9b4e019ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
/// The random element that a key stands for: another key, another element.
inline Element random_element(std::uint64_t key) {
  return {static_cast<std::uint32_t>(mixed(key, 1) % kP), static_cast<std::uint32_t>(mixed(key, 2) % kQ)};
}
/// The fields know no roots and no silu. Such a function is replaced by one that nobody knows anything of:
/// equal arguments give equal results, and nothing else is certain.
inline Element opaque(Op op, Element x) {
  const std::uint64_t key = mixed(static_cast<std::uint64_t>(op) + 100, x.p);
  return random_element(x.lost ? key : mixed(key, x.q));
}

using Place = std::array<int, 8>;  ///< a coordinate for each index of the program

struct Tensor {
  Indices set = 0;
  std::array<int, 8> strides{};  ///< 0 for an index that it does not have
  std::vector<Element> values;

  Tensor() = default;
  Tensor(Indices indices, const std::vector<int>& extents) : set(indices) {
    int size = 1;
    for (std::size_t i = extents.size(); i-- > 0;)
      if (has(set, static_cast<int>(i))) strides[i] = size, size *= extents[i];
    values.resize(static_cast<std::size_t>(size));
  }
  /// The element at a place. Coordinates of indices that the tensor does not have are passed over: that is
  /// how g[h] meets x[b,h].
  Element at(const Place& place) const {
    int offset = 0;
    for (std::size_t i = 0; i < strides.size(); ++i) offset += strides[i] * place[i];
    return values[static_cast<std::size_t>(offset)];
  }
};

/// Inputs of a draw: all elements of all of them.
using Draw = std::vector<Tensor> (*)(const Program& program, int draw);

}  // namespace graphs
using namespace graphs;

// The learner's (kernels.cu).
std::uint32_t power(std::uint32_t base, std::uint32_t exponent, std::uint32_t prime);
Element divide(Element a, Element b);
Element exponential(Element x);
Element value_at(const Node& node, const Tensor& a, const Tensor& b, Place place, int extent);
std::vector<Tensor> random_inputs(const Program& program, int draw);
bool equal(const Program& program, const Graph& other, Draw inputs, int draws);

namespace graphs {

/// One node of its operands; `b` is any tensor where the node has one operand.
inline Tensor evaluate(const Node& node, const Program& program, const Tensor& a, const Tensor& b) {
  const Indices both = node.b < 0 ? a.set : a.set | b.set;
  Tensor result(both & ~only(node.over), program.tiny);
  const int extent = node.over < 0 ? 0 : program.tiny[static_cast<std::size_t>(node.over)];
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    Place place{};
    for (std::size_t index = 0; index < program.tiny.size(); ++index)
      if (result.strides[index] > 0)
        place[index] = static_cast<int>(i) / result.strides[index] % program.tiny[index];
    result.values[i] = value_at(node, a, b, place, extent);
  }
  return result;
}

/// The last node of a graph.
inline Tensor result_of(const Graph& graph, const Program& program, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> values = inputs;
  for (std::size_t i = inputs.size(); i < graph.size(); ++i) {
    const Node& node = graph[i];
    const Tensor& a = values[static_cast<std::size_t>(node.a)];
    values.push_back(evaluate(node, program, a, node.b < 0 ? a : values[static_cast<std::size_t>(node.b)]));
  }
  return values.back();
}

/// Empty tensors for the inputs, to be filled.
inline std::vector<Tensor> empty_inputs(const Program& program) {
  std::vector<Tensor> inputs;
  for (const Input& input : program.inputs) inputs.emplace_back(program.set(input.indices), program.tiny);
  return inputs;
}

}  // namespace graphs
