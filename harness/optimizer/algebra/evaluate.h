// The values of a graph: in the fields, where equal means equal, and in doubles with a bound on what rounding
// to the storage type may add. Tensors lie with their indices ascending, the last contiguous.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "optimizer/algebra/field.h"
#include "optimizer/graph/graph.h"
#include "optimizer/graph/sizes.h"

namespace workbook::opt {

/// Number of elements of a tensor with these indices.
std::size_t size_of(IndexSet set, const Extents& extents);

/// Where the elements of an operand lie, for each element of a result, and how far apart those are that
/// differ in one index. Kept per pair of index sets.
class Layout {
 public:
  explicit Layout(const Extents& extents) : extents_(extents) {}
  const Extents& extents() const { return extents_; }
  std::size_t size(IndexSet set) const { return size_of(set, extents_); }
  std::size_t stride(IndexSet set, int index) const;
  /// The operand's element for each element of the result, indices that the result lacks being 0.
  const std::vector<std::uint32_t>& gather(IndexSet result, IndexSet operand);
  /// The coordinate of `index` in element `at` of a tensor with `set`.
  std::int32_t coordinate(IndexSet set, std::size_t at, int index) const {
    return static_cast<std::int32_t>(at / stride(set, index)) % extents_[static_cast<std::size_t>(index)];
  }

 private:
  Extents extents_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> gathers_;
};

struct FieldTensor {
  IndexSet set = 0;
  bool lost = false;    ///< an exp is in it: only the parts modulo p mean anything
  bool hashed = false;  ///< a hash stands for something that the fields do not know
  bool zero_divisor = false;
  std::vector<Element> values;
};

/// All that a draw fixes besides the inputs.
struct Draw {
  std::uint64_t seed = 1;
  std::uint32_t number = 0;
  std::uint64_t key() const { return mixed(seed, number); }
};

/// One node after another at given extents. Not for several threads at once.
class FieldEvaluator {
 public:
  /// `graph` gives constants and functions; nodes may come from any graph with the same ones.
  FieldEvaluator(const Field& field, const Graph& graph, const Extents& extents, Draw draw);

  /// `shape` is the result's (shape_of); `b` may be null.
  void apply(const Node& node, IndexSet shape, const FieldTensor& a, const FieldTensor* b,
             FieldTensor& result);
  /// An element that is no square where a root is taken; null when all are.
  std::optional<std::size_t> non_square(const Node& node, const FieldTensor& a);
  Element constant(int number) const { return constants_[static_cast<std::size_t>(number)]; }
  Layout& layout() { return layout_; }
  const Field& field() const { return field_; }
  const Draw& draw() const { return draw_; }

 private:
  Element function(const Function& function, Element x, bool& lost, bool& hashed, bool& zero) const;
  Element affine(const Function& function, Element x) const;
  Element exponential(Element x, bool lost, bool& hashed) const;
  Element divided(Element a, Element b, bool lost, bool& zero) const;

  const Field& field_;
  const Graph& graph_;
  Layout layout_;
  Draw draw_;
  std::uint32_t w_;  ///< the exponent k of this draw's w
  std::vector<Element> constants_;
};

/// 128 bits of a tensor's indices and values: equal tensors have equal ones.
struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  auto operator<=>(const Fingerprint&) const = default;
};
Fingerprint fingerprint(const FieldTensor& tensor);

/// Which elements inputs get. The progression 0, 1, 2, ... is what must not be used: see verify.h.
enum class Inputs : std::uint8_t { uniform, progression };

/// The fields have no inputs at which every root of a program exists, or too few: many depend on the same
/// ones.
struct NoDraw : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Inputs of `program` at the draw (what follows from places, too, whose values at so few places could agree
/// by chance: what is equal for any numbers is so for these): uniform, or the progression; drawn until every
/// radicand of the program is a square in both fields and no divisor of it is zero. Where rows of a radicand
/// share no inputs, only the rows that fail are drawn again. Throws NoDraw.
std::vector<FieldTensor> drawn_inputs(FieldEvaluator& evaluator, const Program& program, Inputs inputs);

/// Where element `at` of a view without `by` lies in its source; at extents at which it lies outside, any
/// place.
std::size_t viewed(const Layout& layout, const Tensor& view, const Tensor& source, std::size_t at);

/// Views of the graph and constants that it has beyond those of the program.
void add_inputs(FieldEvaluator& evaluator, const Graph& graph, std::vector<FieldTensor>& inputs);

/// Every node, inputs first.
std::vector<FieldTensor> evaluate(FieldEvaluator& evaluator, const Graph& graph, IndexSet output,
                                  const std::vector<FieldTensor>& inputs);

struct NumberTensor {
  IndexSet set = 0;
  std::vector<double> values;
  std::vector<double> bounds;  ///< of |stored value - exact value|
};

/// Of an input that follows from the places of its elements.
std::vector<double> placed_values(const Tensor& tensor, const Extents& extents);

/// Of a view of what has values already: 0 outside of its source.
std::vector<double> viewed_values(const Graph& graph, const Tensor& view, const Extents& extents,
                                  const std::vector<NumberTensor>& inputs);

/// The unit of rounding of a storage type: half the distance of 1 to the next number.
double unit_of(Storage storage);

/// A number drawn from the normal distribution, by its key.
double drawn_normal(std::uint64_t key);

/// What rounding may add: each operation a unit of its result. A sum, taken in any order, one unit of the sum
/// of magnitudes where each term is rounded once to the storage type, or with `every_addition` as many as it
/// has additions: then no order of additions in that type can be off by more.
struct Rounding {
  double unit = 0.0;
  bool every_addition = false;
};

/// One node after another in doubles, with bounds. Operands and results have `extents`; `whole` are those
/// that a mean divides by: others where tensors are parts of such.
class NumberEvaluator {
 public:
  NumberEvaluator(const Graph& graph, const Extents& extents, const Extents& whole, Rounding rounding);
  ~NumberEvaluator();
  NumberEvaluator(NumberEvaluator&&) noexcept;
  /// `shape` is the result's (shape_of); `b` may be null.
  NumberTensor apply(const Node& node, IndexSet shape, const NumberTensor& a, const NumberTensor* b);

 private:
  std::unique_ptr<class Numbers> numbers_;
};

/// Every node. inputs[i].bounds may be empty: exact. `halved`: nodes, a bit each, whose values are rounded to
/// `half` besides.
std::vector<NumberTensor> evaluate_numbers(const Graph& graph, IndexSet output, const Extents& extents,
                                           const std::vector<NumberTensor>& inputs, Rounding rounding,
                                           std::uint64_t halved = 0, Storage half = Storage::f16);

}  // namespace workbook::opt
