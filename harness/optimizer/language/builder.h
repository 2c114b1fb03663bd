// Builds a graph from values: what the parser calls for each operator. It folds constants around a unary
// function into it, and makes a sum of a product one node.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/graph/graph.h"

namespace workbook::opt {

inline constexpr int kProduct = std::numeric_limits<int>::min();

/// What an expression is worth: a number, or a node with constants still around it:
/// times * node / extent(mean) + plus.
struct Value {
  int node = -1;                ///< none: a number
  double number = 0.0;          ///< of a number
  std::vector<SizeStep> steps;  ///< the number follows from extents
  std::string symbol;           ///< how the number is called: a constant's name or its digits
  int extent = -1;              ///< the number is the extent of this index
  int times = -1, plus = -1;    ///< constants
  int mean = -1;                ///< index
  bool fresh = false;           ///< the node was made in this very expression
  /// A product of tensors whose indices are together more than those of any, and than `output`: it waits for
  /// a sum. `node` is kProduct.
  std::vector<int> factors;
  IndexSet output = 0;
  std::vector<int> kept_by;   ///< where(c, a, -inf): nodes that all are 1 where the value is a
  bool named_places = false;  ///< `placed`, and its index stood there by its name alone
  std::vector<Placed>
      placed;  ///< instead of all that: what follows from places, several conditions all at once
};

/// What a placed number needs besides its own indices, to meet a tensor with `theirs`.
constexpr IndexSet indices_beside(IndexSet own, IndexSet theirs) {
  return within(own, theirs) || within(theirs, own) ? IndexSet{0} : theirs;
}
/// The condition that holds where this one does not.
Placed opposite(Placed placed);

/// Of an index by its name alone, where that is not enough.
inline std::string extent_words(const std::string& index) {
  return "an index alone may only divide, as in x / " + index + "; its size is size(" + index +
         "), and where in it an element lies is place(" + index + "), rounded down by a half " + index +
         " // 2";
}

/// No tensor: a number, or one that follows from extents.
inline bool is_number(const Value& value) {
  return value.node == -1 && value.extent < 0 && value.placed.empty();
}

/// A sentence about what an expression does; the parser adds the place.
struct BuildError {
  std::string sentence;
};

class Builder {
 public:
  explicit Builder(Graph graph) : graph_(std::move(graph)) {}

  /// Inputs stand apart from nodes until finish(): more may come.
  int input_value(int input) const { return -2 - input; }

  Value number(double value, std::string symbol) const;
  /// Of an index by its name alone: its extent where it divides, else where in it an element lies.
  Value extent(int index) const;
  /// size(h): its extent.
  Value size(int index) const;
  /// Where in the index an element lies, from 0.
  Value place(int index) const;
  Value binary(Op op, Value a, Value b, IndexSet output);
  Value unary(Base base, const Value& a);
  Value exponential(const Value& a);
  Value sum(int index, const Value& a);
  Value max_over(int index, const Value& a);
  Value mean(int index, const Value& a);
  /// `eps`: a number, or the constant of that name where there is one.
  Value rms(int index, const Value& a, const std::optional<Value>& eps = {});
  Value negative(const Value& a);
  Value minimum(const Value& a, const Value& b, IndexSet output);
  Value min_over(int index, const Value& a);
  Value power(const Value& a, const Value& exponent);
  /// a // b and a % b, as Python has them.
  Value rounded_down(const Value& a, const Value& b, IndexSet output);
  Value remainder(const Value& a, const Value& b, IndexSet output);
  /// 1 where the condition is 0, else 0.
  Value opposite_of(const Value& condition);
  /// Of a tensor, or a product that waits for its sum.
  IndexSet indices_of(const Value& value) const;
  /// `sign`: > < >= <= == !=; 1 where it holds, else 0.
  Value compared(std::string_view sign, const Value& a, const Value& b, IndexSet output);
  /// a where the condition is not 0, else b. With b = -inf exp alone may take it.
  Value chosen(const Value& condition, const Value& a, const Value& b, IndexSet output);
  /// What follows from places as a node, which has those indices besides that `beside` asks for: an operation
  /// with a tensor of theirs makes no outer product. An index that nothing divides by is its place.
  Value settled(const Value& value, IndexSet beside = 0);
  /// The input at other places; `itself` where it is the same.
  Value viewed(int source, const std::vector<Coordinate>& places, const Value& itself);
  /// A node whose value is the input's.
  int copy(int input);

  /// Its number among the inputs. Throws BuildError where there are as many as there may be.
  int add_input(const Tensor& tensor);

  /// The number of the node, or input_value(input), that holds the value.
  int whole(const Value& value);

  IndexSet shape(int node) const;
  Graph& graph() { return graph_; }

  /// The nodes that `node` needs, behind the graph's inputs.
  Graph finish(int node, std::vector<int>* lines = nullptr) const;
  int line = 0;         ///< of the text, noted for each node that is made
  bool repeats = true;  ///< sides with an index each that the other lacks are repeated along it

 private:
  struct Made {
    Op op;
    int a, b, over, fn;
    auto operator<=>(const Made&) const = default;
  };

  int make(const Made& made, IndexSet output);
  bool is_outer(const Made& made, IndexSet output) const;
  int repeated(int node, IndexSet more);
  void require_whole(const Value& value) const;
  void require_divisor(const Value& value) const;
  void require_inside(const Coordinate& place, int dim, const std::string& text) const;
  Value product(const Value& a, const Value& b, IndexSet output);
  /// The same product of fewer factors: those whose indices another has are multiplied into that.
  std::vector<int> fewer_factors(std::vector<int> factors);
  Value multiplied_out(const Value& value);
  Value sum_of_product(int index, const Value& a);
  std::optional<Placed> line_of(const Value& value) const;
  std::optional<Value> of_places(Op op, const Value& a, const Value& b) const;
  std::optional<Value> compared_places(std::string_view sign, const Value& a, const Value& b) const;
  void settle_both(Value& a, Value& b);
  int placed_input(const Placed& placed, IndexSet set);
  Value sign_of(Base base, const Value& a);
  /// 1 where the value is not 0 (is 0, if not `holds`), else 0.
  Value condition_of(const Value& value, bool holds);
  Value hidden(const Value& condition, const Value& kept, IndexSet output);
  /// Of two numbers, and of one.
  Value joined_numbers(Op op, const Value& a, const Value& b) const;
  Value of_number(const SizeStep& function, std::string_view name, const Value& a) const;
  int constant(const Value& value);
  int constant_input(int constant);
  int function(const Function& wanted);
  Value fold(Base base, const Value& a);

  Graph graph_;  ///< its nodes are not used
  std::vector<Made> made_;
  std::vector<IndexSet> shapes_;
  std::vector<int> lines_;
};

}  // namespace workbook::opt
