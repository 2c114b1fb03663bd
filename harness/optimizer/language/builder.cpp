#include "optimizer/language/builder.h"

#include <algorithm>
#include <cmath>

#include "optimizer/graph/order.h"

namespace workbook::opt {
namespace {

/// The index by whose extent a tensor is divided: x / size(h), x * (1 / size(h)); or none.
int extent_of(const Value& number, Op op) {
  const std::vector<SizeStep>& steps = number.steps;
  if (op == Op::div && steps.size() == 1) return steps.front().index;
  const bool inverse = steps.size() == 3 && steps[0].kind == SizeStep::number && steps[0].value == 1.0 &&
                       steps[1].kind == SizeStep::extent && steps[2].kind == SizeStep::div;
  return op == Op::mul && inverse ? steps[1].index : -1;
}

}  // namespace

Value Builder::number(double value, std::string symbol) const {
  Value result;
  result.number = value;
  result.symbol = std::move(symbol);
  return result;
}

Value Builder::extent(int index) const {
  Value result;
  result.extent = index;
  result.symbol = graph_.indices[static_cast<std::size_t>(index)].name;
  return result;
}

IndexSet Builder::shape(int node) const {
  return node <= -2 ? graph_.inputs[static_cast<std::size_t>(-2 - node)].set()
                    : shapes_[static_cast<std::size_t>(node)];
}

int Builder::constant(const Value& value) {
  if (value.extent >= 0) throw BuildError{extent_words(value.symbol)};
  if (value.steps.empty() && std::isnan(value.number)) throw BuildError{value.symbol + " is no number"};
  if (value.steps.empty() && !std::isfinite(value.number))
    throw BuildError{"inf stands in where(c, a, -inf) and in ranges alone"};
  for (std::size_t i = 0; i < graph_.constants.size(); ++i)
    if (graph_.constants[i].name == value.symbol) return static_cast<int>(i);
  graph_.constants.push_back({value.symbol, value.number, value.steps});
  return static_cast<int>(graph_.constants.size()) - 1;
}

int Builder::constant_input(int constant) {
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i)
    if (graph_.inputs[i].constant == constant) return input_value(static_cast<int>(i));
  Tensor tensor;
  tensor.name = graph_.constants[static_cast<std::size_t>(constant)].name;
  tensor.constant = constant;
  tensor.storage = Storage::f32;
  return input_value(add_input(tensor));
}

int Builder::add_input(const Tensor& tensor) {
  if (graph_.inputs.size() >= kMaxInputs)
    throw BuildError{"more than " + std::to_string(kMaxInputs) + " inputs, constants among them"};
  graph_.inputs.push_back(tensor);
  return static_cast<int>(graph_.inputs.size()) - 1;
}

int Builder::function(const Function& wanted) {
  const auto at = std::find(graph_.functions.begin(), graph_.functions.end(), wanted);
  if (at == graph_.functions.end()) {
    if (graph_.functions.size() >= kMaxFunctions)
      throw BuildError{"more than " + std::to_string(kMaxFunctions) + " different functions"};
    graph_.functions.push_back(wanted);
    return static_cast<int>(graph_.functions.size()) - 1;
  }
  return static_cast<int>(at - graph_.functions.begin());
}

int Builder::make(const Made& made, IndexSet output) {
  Made wanted = made;
  if (is_outer(wanted, output)) wanted.a = repeated(wanted.a, shape(wanted.b));
  if (commutes(wanted.op) && wanted.b != -1 && wanted.a > wanted.b) std::swap(wanted.a, wanted.b);
  const auto twin = std::find(made_.begin(), made_.end(), wanted);
  if (twin != made_.end()) return static_cast<int>(twin - made_.begin());
  const IndexSet a = shape(wanted.a), b = wanted.b == -1 ? IndexSet{0} : shape(wanted.b);
  const Node node{wanted.op, 0, static_cast<std::int8_t>(wanted.b == -1 ? -1 : 0),
                  static_cast<std::int8_t>(wanted.over), 0};
  const auto found = shape_of(node, a, b, output);
  if (!found) {
    if (wanted.over >= 0)
      throw BuildError{"it is over " + graph_.indices[static_cast<std::size_t>(wanted.over)].name +
                       ", but has " + names_of(graph_, a)};
    throw BuildError{"one side has " + names_of(graph_, a & ~b) + " and the other " +
                     names_of(graph_, b & ~a) +
                     ": only a sum over an index that both have may join such, of their product"};
  }
  made_.push_back(wanted);
  shapes_.push_back(*found);
  lines_.push_back(line);
  return static_cast<int>(made_.size()) - 1;
}

/// Whether each side has an index that the other lacks, and no sum joins them.
bool Builder::is_outer(const Made& made, IndexSet output) const {
  if (!repeats || made.b == -1 || made.op == Op::matmul) return false;
  const IndexSet a = shape(made.a), b = shape(made.b), both = a | b;
  return both != a && both != b && both != output;
}

/// The same along `more` indices: times 1 at each of their places, which no memory holds.
int Builder::repeated(int node, IndexSet more) {
  const IndexSet all = shape(node) | more;
  return make({Op::mul, node, placed_input({Placed::number, {}, 1}, all), -1, 0}, all);
}

void Builder::require_whole(const Value& value) const {
  if (!value.kept_by.empty())
    throw BuildError{"where(c, a, -inf) may stand in exp alone; elsewhere write a large number, -1e30"};
}

Value Builder::fold(Base base, const Value& of) {
  require_whole(of);
  const Value a = settled(multiplied_out(of));
  Function function_of;
  function_of.base = base;
  function_of.times = static_cast<std::int8_t>(a.times);
  function_of.plus = static_cast<std::int8_t>(a.plus);
  function_of.mean = static_cast<std::int8_t>(a.mean);
  Value result;
  result.node = make({Op::fn, a.node, -1, -1, function(function_of)}, 0);
  return result;
}

int Builder::whole(const Value& of) {
  require_whole(of);
  const Value value = multiplied_out(of);
  if (!value.placed.empty()) return settled(value).node;
  if (value.node == -1) {
    if (value.extent >= 0) throw BuildError{extent_words(value.symbol)};
    return constant_input(constant(value));
  }
  if (value.mean >= 0) return fold(Base::identity, value).node;
  int node = value.node;
  if (value.times >= 0) node = make({Op::mul, node, constant_input(value.times), -1, 0}, 0);
  if (value.plus >= 0) node = make({Op::add, node, constant_input(value.plus), -1, 0}, 0);
  return node;
}

Value Builder::binary(Op op, Value a, Value b, IndexSet output) {
  require_whole(a);
  require_whole(b);
  if (op == Op::div) require_divisor(b);
  if (op == Op::div && is_number(b) && b.steps.empty() && b.number == 0.0)
    throw BuildError{"this divides by 0"};
  if (auto placed = of_places(op, a, b)) return *placed;
  if (op == Op::add || op == Op::sub || op == Op::max)
    for (Value* value : {&a, &b})
      if (value->extent >= 0) *value = place(value->extent);
  if (op == Op::mul && (a.node == kProduct || b.node == kProduct)) return product(a, b, output);
  if (a.node == kProduct && !(op == Op::div && b.node == -1 && b.placed.empty())) a = multiplied_out(a);
  if (b.node == kProduct) b = multiplied_out(b);
  settle_both(a, b);
  if (a.node == -1 && b.node == -1) {
    if (op == Op::div && b.extent >= 0) b = size(b.extent);
    return joined_numbers(op, a, b);
  }
  if (a.node == -1 && (op == Op::add || op == Op::mul)) std::swap(a, b);
  if (a.node != -1 && b.node == -1) {
    if (const int one = extent_of(b, op); one >= 0) op = Op::div, b = extent(one);
    if (b.extent >= 0) {
      if (op != Op::div) throw BuildError{extent_words(b.symbol)};
      if (a.mean < 0 && a.plus < 0) {
        a.mean = b.extent;
        return a;
      }
      Value result;
      result.node = whole(a);
      result.mean = b.extent;
      return result;
    }
    if (a.node == kProduct && op == Op::div)
      return product(a, joined_numbers(Op::div, number(1.0, "1"), b), output);
    if (op == Op::mul && a.times < 0 && a.mean < 0 && a.plus < 0) {
      a.times = constant(b);
      return a;
    }
    if (op == Op::add && a.plus < 0) {
      a.plus = constant(b);
      return a;
    }
  }
  Value result;
  const int left = whole(a), right = whole(b);
  if (op == Op::max) {
    result.node = make({Op::max, left, right, -1, 0}, output);
    return result;
  }
  // A product of tensors with different indices may become a matrix product: whoever sums it knows.
  if (op == Op::mul) {
    const IndexSet l = shape(left), r = shape(right), both = l | r;
    if (both != l && both != r && both != output) {
      result.node = kProduct;
      result.factors = {left, right};
      result.output = output;
      return result;
    }
  }
  const std::size_t before = made_.size();
  result.node = make({op, left, right, -1, 0}, output);
  result.fresh = made_.size() > before;
  return result;
}

Value Builder::unary(Base base, const Value& a) {
  const bool is_root = base == Base::sqrt || base == Base::rsqrt;
  if (a.extent >= 0 && is_root) return unary(base, size(a.extent));
  if (a.extent >= 0) throw BuildError{extent_words(a.symbol)};
  SizeStep step{SizeStep::fn, 0, base, 0.0};
  return is_number(a) ? of_number(step, name_of(base), a) : fold(base, a);
}

Value Builder::exponential(const Value& a) {
  if (a.extent >= 0) throw BuildError{extent_words(a.symbol)};
  if (is_number(a)) return of_number({SizeStep::exp, 0, Base::identity, 0.0}, "exp", a);
  Value result, argument = a;
  argument.kept_by.clear();
  result.node = make({Op::exp, whole(argument), -1, -1, 0}, 0);
  for (const int kept : a.kept_by)  // exp(-inf) = 0
    result.node = make({Op::mul, result.node, kept, -1, 0}, 0);
  return result;
}

Value Builder::sum(int index, const Value& a) {
  if (a.node == kProduct && a.plus < 0) return sum_of_product(index, a);
  const int node = whole(a);
  Value result;
  if (a.fresh && node == a.node && node >= 0) {
    const Made product = made_[static_cast<std::size_t>(node)];
    const bool differ = product.op == Op::mul && shape(product.a) != shape(product.b);
    if (differ && has(shape(product.a), index) && has(shape(product.b), index)) {
      made_.pop_back();
      shapes_.pop_back();
      lines_.pop_back();
      result.node = make({Op::matmul, product.a, product.b, index, 0}, 0);
      return result;
    }
  }
  result.node = make({Op::sum, node, -1, index, 0}, 0);
  return result;
}

Value Builder::max_over(int index, const Value& a) {
  Value result;
  result.node = make({Op::max, whole(a), -1, index, 0}, 0);
  return result;
}

Value Builder::mean(int index, const Value& a) {
  Value result = sum(index, a);
  result.mean = index;
  return result;
}

int Builder::copy(int input) {
  Value value;
  value.node = input;
  return fold(Base::identity, value).node;
}

Value Builder::rms(int index, const Value& a, const std::optional<Value>& eps) {
  const int node = whole(a);
  Value square;
  square.node = make({Op::mul, node, node, -1, 0}, 0);
  Value result = mean(index, square);
  if (eps) {
    if (!is_number(*eps)) throw BuildError{"what rms adds is a number"};
    if (!eps->steps.empty() || eps->number != 0.0) result.plus = constant(*eps);
  } else {
    for (std::size_t i = 0; i < graph_.constants.size(); ++i)
      if (graph_.constants[i].name == "eps") result.plus = static_cast<int>(i);
  }
  return unary(Base::sqrt, result);
}

Graph Builder::finish(int node, std::vector<int>* lines) const {
  Graph result = graph_;
  const int inputs = static_cast<int>(graph_.inputs.size());
  result.nodes.clear();
  if (lines != nullptr) lines->assign(static_cast<std::size_t>(inputs), 0);
  for (int i = 0; i < inputs; ++i)
    result.nodes.push_back({Op::input, static_cast<std::int8_t>(i), -1, -1, 0});
  std::vector<bool> needed(made_.size(), false);
  if (node >= 0) needed[static_cast<std::size_t>(node)] = true;
  for (int i = node; i >= 0; --i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    const Made& made = made_[static_cast<std::size_t>(i)];
    for (const int operand : {made.a, made.b})
      if (operand >= 0) needed[static_cast<std::size_t>(operand)] = true;
  }
  std::vector<int> place(made_.size(), -1);
  const auto placed = [&](int operand) {
    return static_cast<std::int8_t>(operand == -1   ? -1
                                    : operand <= -2 ? -2 - operand
                                                    : place[static_cast<std::size_t>(operand)]);
  };
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (!needed[i]) continue;
    const Made& made = made_[i];
    place[i] = static_cast<int>(result.nodes.size());
    if (place[i] >= kMaxNodes) throw BuildError{"more than " + std::to_string(kMaxNodes) + " nodes"};
    Node made_node{made.op, placed(made.a), placed(made.b), static_cast<std::int8_t>(made.over),
                   static_cast<std::uint8_t>(made.fn)};
    if (commutes(made_node.op) && made_node.b >= 0 && made_node.a > made_node.b)
      std::swap(made_node.a, made_node.b);
    result.nodes.push_back(made_node);
    if (lines != nullptr) lines->push_back(lines_[i]);
  }
  result.outputs = {placed(node)};
  return result;
}

}  // namespace workbook::opt
