// A small tensor program as a graph over named indices: the value type of the optimizer, `workbook optimize`.
//
// How the parts of this folder fit; each room knows those above it only:
//   graph/     values, compared by ==: graphs, programs; functions of one number; numbers that follow from
//   extents; the order of nodes; ranges language/  .wbp files: parser with line, column and caret; graphs as
//   lines or as one formula (text.h) algebra/   two finite fields, a graph's values in them and in doubles
//   with a bound; normal forms search/    all graphs equal to a program (algebra.h; enumerate.h: one subtree
//   of that search) judge/     are two graphs equal (verify.h); a learner's graph against a program (check.h)
//   store/     finished depths in SQLite, so that a search resumes; the JSON of --json and --tree
//   plan/      a graph in launches with cut indices, and what follows from the cuts; interpret.h runs one
//   device/    what emitted kernels call, as headers that nvcc and the simulator compile
//   launch/    what forms of a launch have in common: finding, cuts, counters, text
//   forms/     a folder a form: its shape, cuts, counters and text; forms.h is their table
//   schedule/  launches and cuts of the graphs found, the cheapest first, priced (price.h), written as CUDA
//              C++ (emit.h), the cases that they are judged by, all of that for the viewer (fusion.h)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::opt {

inline constexpr int kMaxIndices = 16;
inline constexpr int kMaxInputs = 32;  ///< constants and what is given included
inline constexpr int kMaxFunctions = 32;
inline constexpr int kMaxNodes = 64;  ///< inputs included
using IndexSet = std::uint16_t;       ///< one bit an index

constexpr bool has(IndexSet set, int index) { return (set >> index & 1) != 0; }
constexpr IndexSet only(int index) { return static_cast<IndexSet>(1u << index); }
constexpr bool within(IndexSet part, IndexSet whole) { return (part & ~whole) == 0; }
/// Numbers of the indices in the set, ascending.
std::vector<int> members(IndexSet set);

enum class Storage : std::uint8_t {
  f16,
  bf16,
  f32,
  i32
};  // i32: of inputs, which choose rows or are compared
std::string_view name_of(Storage storage);

/// A dimension by its name, with the extents of the teaching and of the real shape.
struct Index {
  std::string name;
  std::int64_t teaching = 1, real = 1;
  bool operator==(const Index&) const = default;
};

/// A row of the table of functions (unary.h); those that the fields know more of have a name here.
enum class Base : std::uint8_t { identity, sqrt, rsqrt, silu, gelu, tanh, relu };
std::string_view name_of(Base base);

/// How a number follows from extents, as a stack takes it: sqrt(size(d)) is d's extent, then the function.
struct SizeStep {
  enum Kind : std::uint8_t { number, extent, add, sub, mul, div, fn, exp };
  Kind kind = number;
  std::uint8_t index = 0;
  Base base = Base::identity;
  double value = 0.0;
  bool operator==(const SizeStep&) const = default;
};

/// A number with a name. In the fields a whole number is exact and any other is one random element a name;
/// so is what follows from extents. `value` is of one that does not.
struct Constant {
  std::string name;
  double value = 0.0;
  std::vector<SizeStep> steps;  ///< sizes.h
  bool operator==(const Constant&) const = default;
};

/// A number that follows from where an element lies, and is never in memory: the sum of `times` * index over
/// `terms`, and `plus`; or 1 where that is not negative (is 0, is not 0), else 0; or,
/// where it `hides`, 0 and minus infinity instead, as masks that are added have it.
struct Placed {
  enum Kind : std::uint8_t { none, number, not_negative, zero, not_zero };
  struct Term {
    std::uint8_t index = 0;
    std::int32_t times = 1;
    bool operator==(const Term&) const = default;
  };
  static constexpr std::int32_t kMostTimes = 1 << 20;  ///< of a term, in magnitude
  Kind kind = none;
  std::vector<Term> terms;  ///< by index, none of them 0 times
  std::int64_t plus = 0;
  bool hides = false;

  bool compares() const { return kind > number; }
  bool is_condition() const { return compares() && !hides; }
  IndexSet set() const;
  std::int32_t times(int index) const;
  /// `at`: the value of each index.
  double value(const std::array<std::int32_t, kMaxIndices>& at) const;
  bool operator==(const Placed&) const = default;
};
/// Adds `more`, each so many times. No term becomes larger than an int holds.
void add_terms(std::vector<Placed::Term>& terms, const std::vector<Placed::Term>& more, std::int32_t times);
/// "s >= t + 4" or "2 * t - s"; `name_of` says how an index is called.
template <class NameOf>
std::string text_of(const Placed& placed, NameOf name_of);

/// One place of a view's source: a sum of indices and extents, divided by `divide` and rounded down; or, with
/// `by`, what the input of whole numbers holds.
struct Coordinate {
  Placed line;                      ///< a number
  std::vector<Placed::Term> sizes;  ///< extents that are added
  int divide = 1;
  int by = -1;  ///< of Graph::inputs

  bool is_index(int index) const {
    return by < 0 && divide == 1 && sizes.empty() && line.plus == 0 && line.terms.size() == 1 &&
           line.terms.front() == Placed::Term{static_cast<std::uint8_t>(index), 1};
  }
  /// Without `by`.
  std::int64_t at(const std::array<std::int32_t, kMaxIndices>& place,
                  const std::array<std::int32_t, kMaxIndices>& extents) const;
  bool operator==(const Coordinate&) const = default;
};

/// What no element of an input exceeds in magnitude, unless the program says otherwise: the product of two
/// such still is a number of half.
inline constexpr double kUsualRange = 255.0;
/// Likewise of whole numbers, which a float holds up to there.
inline constexpr double kMostWhole = 0x1p24;

/// What a graph reads. A view is another input read at other places, 0 outside of it; the search makes none
/// of its own, and takes it for any numbers.
struct Tensor {
  std::string name;
  std::vector<std::uint8_t> dims;  ///< indices in the order of memory, the last one contiguous
  Storage storage = Storage::f16;
  int constant = -1;             ///< of Graph::constants, where a constant is used as a factor or term
  bool given = false;            ///< computed beforehand: Program::givens says how
  int view_of = -1;              ///< of Graph::inputs
  std::vector<Coordinate> view;  ///< one for each dimension of its source
  Placed placed;                 ///< what its elements follow from, or nothing
  double low = -kUsualRange, high = kUsualRange;  ///< of its elements
  bool holds_minus_infinity = false;              ///< besides

  bool is_placed() const { return placed.kind != Placed::none; }
  /// Whoever calls a kernel hands it over.
  bool is_stored() const { return constant < 0 && !is_placed() && view_of < 0; }
  bool has_range() const { return low != -kUsualRange || high != kUsualRange; }
  IndexSet set() const;
  bool operator==(const Tensor&) const = default;
};

enum class Op : std::uint8_t { input, add, sub, mul, div, exp, fn, max, sum, matmul };

/// A chain of unary operations with constants, which counts as one: base(times * u / extent(mean) + plus).
struct Function {
  Base base = Base::identity;
  std::int8_t times = -1, plus = -1;  ///< of Graph::constants, or none
  std::int8_t mean = -1;              ///< the index by whose extent it divides, or none
  bool operator==(const Function&) const = default;
};

/// Operands come before their users; node i < inputs.size() is input i. Elementwise operations repeat an
/// operand along the indices that it lacks.
///   add sub mul div  a, b          exp  a          fn  a, `fn` of Graph::functions
///   sum              a, over       matmul  a, b: the sum over `over`, which both have, of their products
///   max              a and b, or a and over
struct Node {
  Op op = Op::input;
  std::int8_t a = -1, b = -1, over = -1;
  std::uint8_t fn = 0;
  auto operator<=>(const Node&) const = default;
};

struct Graph {
  std::vector<Index> indices;
  std::vector<Constant> constants;
  std::vector<Tensor> inputs;
  std::vector<Function> functions;
  std::vector<Node> nodes;
  std::vector<int> outputs;  ///< nodes; what there is one of for all is of the first
  bool operator==(const Graph&) const = default;

  int operations() const { return static_cast<int>(nodes.size() - inputs.size()); }
  int output() const { return outputs.front(); }
  /// Its place among the outputs, or -1.
  int output_number(int node) const {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i] == node) return static_cast<int>(i);
    return -1;
  }
  bool is_output(int node) const { return output_number(node) >= 0; }
};

/// A subterm that the search takes as one tensor. The search replaces it by an input; what is computed is
/// `graph`, whose inputs are among those of the program.
struct Given {
  int input = 0;  ///< of Program::graph.inputs
  Graph graph;
  bool operator==(const Given&) const = default;
};

/// A tensor that a program gives.
struct Output {
  std::string name;
  std::vector<std::uint8_t> dims;  ///< in the order of memory
  Storage storage = Storage::f16;
};

struct Program {
  std::string name, title, text;
  Graph graph;
  std::vector<std::uint8_t> output_dims;  ///< in the order of memory
  std::string output_name;
  Storage output_storage = Storage::f16;
  std::vector<Graph> lemmas;  ///< other spellings of the same, not yet verified; same inputs and indices
  std::vector<Given> givens;
  std::vector<Output> others;  ///< outputs behind the first; joined.h

  /// Of all outputs, of which one has all.
  IndexSet output_set() const;
  /// By its place in Graph::outputs.
  Output output(int number) const;
};

/// Why a node is none: a sentence with the names of the indices at fault. `what` names the operands.
struct TypeFault {
  int node = 0;
  std::string sentence;
};

/// A result has the indices of one operand or of the output: no larger outer products. `over` must be an
/// index of each operand, and two operands of a product must not have the same indices (that is a
/// multiplication and a sum). Nothing: no such node.
std::optional<IndexSet> shape_of(const Node& node, IndexSet a, IndexSet b, IndexSet output);

/// The indices of each node. Of a graph whose nodes all have a shape.
std::vector<IndexSet> shapes_of(const Graph& graph, IndexSet output);

/// The first node without a shape, in words.
std::optional<TypeFault> type_fault(const Graph& graph, IndexSet output);

/// Names of the set's indices: "b and h", "s, t and d", "none".
std::string names_of(const Graph& graph, IndexSet set);

template <class NameOf>
std::string text_of(const Placed& placed, NameOf name_of) {
  const auto sum = [&](int sign, bool both) {
    std::string text;
    const auto add = [&](std::int64_t times, const std::string& what) {
      const std::int64_t size = times < 0 ? -times : times;
      if (!both && times * sign <= 0) return;
      text += both && times < 0 ? (text.empty() ? "-" : " - ") : text.empty() ? "" : " + ";
      text += what.empty() ? std::to_string(size) : size == 1 ? what : std::to_string(size) + " * " + what;
    };
    for (const Placed::Term& term : placed.terms) add(term.times, name_of(term.index));
    if (placed.plus != 0) add(placed.plus, "");
    return text.empty() ? std::string("0") : text;
  };
  if (!placed.compares()) return sum(1, true);
  const std::string_view sign = placed.kind == Placed::not_negative ? " >= "
                                : placed.kind == Placed::zero       ? " == "
                                                                    : " != ";
  return sum(1, false) + std::string(sign) + sum(-1, false);
}

/// One bit for each node that the output depends on, itself among them.
std::uint64_t used_by_output(const Graph& graph);

/// The same graph with its nodes in the one order that the search visits (algebra.h), unused nodes left out,
/// operands of commuting operations sorted.
Graph canonical(const Graph& graph);

/// Multiply-adds count two; each node once, at the real extents.
struct Work {
  double product_flops = 0, other_flops = 0;
  double bytes = 0;  ///< every tensor written once and read once a use, in its storage type
  int passes = 0;    ///< the longest chain of sums that wait for one another: sweeps over the data
};
Work work_of(const Program& program, const Graph& graph);

/// The same with one of its outputs alone.
Graph only_output(const Graph& graph, int number);
Program only_output(const Program& program, int number);

/// The graph over the program's true inputs, with the givens' nodes put in.
Graph expanded(const Program& program, const Graph& graph);

}  // namespace workbook::opt
