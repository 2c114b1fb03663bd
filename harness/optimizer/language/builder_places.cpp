// Numbers that follow from where an element lies: masks, distances. They are sums of indices until a tensor
// meets them; then an input that no memory holds (graph.h, Placed).
#include <algorithm>
#include <cmath>

#include "optimizer/language/builder.h"

namespace workbook::opt {
namespace {

constexpr double kMostPlace = 1 << 24;  ///< up to which floats hold every whole number

Placed joined(const Placed& a, const Placed& b, int sign) {
  Placed result = a;
  add_terms(result.terms, b.terms, sign);
  result.plus += sign * b.plus;
  return result;
}

Placed multiplied(Placed line, std::int64_t times) {
  if (times == 0) return {Placed::number, {}, 0};
  for (Placed::Term& term : line.terms) {
    if (std::abs(static_cast<double>(term.times) * static_cast<double>(times)) > Placed::kMostTimes)
      throw BuildError{"a place times more than 2^20"};
    term.times *= static_cast<std::int32_t>(times);
  }
  line.plus *= times;
  return line;
}

/// -x >= 1 is said as x < 0 is: one way to write each condition down, so that equal ones are one input.
Placed condition(Placed line, Placed::Kind kind) {
  if (kind != Placed::not_negative && !line.terms.empty() && line.terms.front().times < 0)
    line = multiplied(line, -1);
  line.kind = kind;
  return line;
}

bool is_placed(const Value& value) { return value.extent >= 0 || !value.placed.empty(); }

}  // namespace

Placed opposite(Placed placed) {
  if (placed.kind != Placed::not_negative) {
    placed.kind = placed.kind == Placed::zero ? Placed::not_zero : Placed::zero;
    return placed;
  }
  placed = multiplied(placed, -1);  // not x >= 0: -x - 1 >= 0
  --placed.plus;
  return placed;
}

Value Builder::place(int index) const {
  Value result;
  result.placed = {{Placed::number, {{static_cast<std::uint8_t>(index), 1}}, 0}};
  return result;
}

/// A sum of indices and whole numbers, if it is one.
std::optional<Placed> Builder::line_of(const Value& value) const {
  if (!value.placed.empty())
    return value.placed.size() == 1 && !value.placed.front().is_condition()
               ? std::optional(value.placed.front())
               : std::nullopt;
  if (value.extent >= 0) return place(value.extent).placed.front();
  if (value.node != -1 || !value.steps.empty() || value.number != std::floor(value.number) ||
      std::abs(value.number) > kMostPlace)
    return std::nullopt;
  return Placed{Placed::number, {}, static_cast<std::int64_t>(value.number)};
}

/// + and - of places and whole numbers, * with a whole number, and what several conditions are together.
std::optional<Value> Builder::of_places(Op op, const Value& a, const Value& b) const {
  if (!is_placed(a) && !is_placed(b)) return std::nullopt;
  Value result;
  const auto conditions = [](const Value& value) {
    return !value.placed.empty() && value.placed.front().is_condition();
  };
  if (op == Op::mul && conditions(a) && conditions(b)) {
    result.placed = a.placed;
    for (const Placed& each : b.placed)
      if (std::find(result.placed.begin(), result.placed.end(), each) == result.placed.end())
        result.placed.push_back(each);
    return result;
  }
  const std::optional<Placed> left = line_of(a), right = line_of(b);
  if (!left || !right) return std::nullopt;
  result.named_places = a.extent >= 0 || a.named_places || b.extent >= 0 || b.named_places;
  if (op == Op::add || op == Op::sub) {
    result.placed = {joined(*left, *right, op == Op::add ? 1 : -1)};
  } else if (op == Op::mul && (left->terms.empty() || right->terms.empty())) {
    result.placed = {left->terms.empty() ? multiplied(*right, left->plus) : multiplied(*left, right->plus)};
  } else {
    return std::nullopt;
  }
  return result;
}

std::optional<Value> Builder::compared_places(std::string_view sign, const Value& a, const Value& b) const {
  if (!is_placed(a) && !is_placed(b)) return std::nullopt;
  const std::optional<Placed> left = line_of(a), right = line_of(b);
  if (!left || !right) return std::nullopt;
  Value result;
  if (sign == "==" || sign == "!=") {
    result.placed = {condition(joined(*left, *right, -1), sign == "==" ? Placed::zero : Placed::not_zero)};
    return result;
  }
  Placed less = sign.front() == '>' ? joined(*left, *right, -1) : joined(*right, *left, -1);
  if (sign.size() == 1) --less.plus;  // of whole numbers
  result.placed = {condition(less, Placed::not_negative)};
  return result;
}

int Builder::placed_input(const Placed& placed, IndexSet set) {
  Tensor tensor;
  const std::string text =
      text_of(placed, [&](int index) { return graph_.indices[static_cast<std::size_t>(index)].name; });
  tensor.name = placed.hides ? "where(" + text + ", 0, -inf)" : "(" + text + ")";
  for (const int index : members(set)) tensor.dims.push_back(static_cast<std::uint8_t>(index));
  tensor.placed = placed;
  tensor.storage = Storage::f32;
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i)
    if (graph_.inputs[i].placed == placed && graph_.inputs[i].dims == tensor.dims)
      return input_value(static_cast<int>(i));
  double most = std::abs(static_cast<double>(placed.plus));
  for (const Placed::Term& term : placed.terms)
    most += std::abs(static_cast<double>(term.times)) * static_cast<double>(graph_.indices[term.index].real);
  if (most > kMostPlace) throw BuildError{"places beyond 2^24, which no float tells apart"};
  return input_value(add_input(tensor));
}

/// One place for all elements: what lies outside would be 0 for all of them, and -1 is not the last.
void Builder::require_inside(const Coordinate& place, int dim, const std::string& text) const {
  const Index& index = graph_.indices[static_cast<std::size_t>(dim)];
  std::int64_t at = place.line.plus;
  for (const Placed::Term& size : place.sizes) at += size.times * graph_.indices[size.index].real;
  if (!place.line.terms.empty() || (at >= 0 && at / place.divide < index.real)) return;
  throw BuildError{"place " + text + " lies outside of " + index.name + ", whose places are 0 to " +
                   std::to_string(index.real - 1) + "; the last one is size(" + index.name + ") - 1"};
}

Value Builder::viewed(int source, const std::vector<Coordinate>& places, const Value& itself) {
  const Tensor from = graph_.inputs[static_cast<std::size_t>(source)];
  Tensor view;
  view.view_of = source;
  view.view = places;
  view.storage = from.storage;
  view.low = from.low, view.high = from.high;
  view.holds_minus_infinity = from.holds_minus_infinity;
  if (from.view_of >= 0 || from.given || from.storage == Storage::i32)
    throw BuildError{"parts are there of inputs of numbers, not of '" + from.name + "'"};
  const auto name = [&](int index) { return graph_.indices[static_cast<std::size_t>(index)].name; };
  IndexSet set = 0;
  bool same = true;
  for (std::size_t dim = 0; dim < places.size(); ++dim) {
    const Coordinate& place = places[dim];
    same = same && place.is_index(from.dims[dim]);
    view.name += (dim == 0 ? from.name + "[" : ",");
    if (place.by >= 0) {
      set |= graph_.inputs[static_cast<std::size_t>(place.by)].set();
      view.name += graph_.inputs[static_cast<std::size_t>(place.by)].name;
      continue;
    }
    set |= place.line.set();
    std::string text = place.line.terms.empty() && place.line.plus == 0 && !place.sizes.empty()
                           ? "0"
                           : text_of(place.line, name);
    for (const Placed::Term& size : place.sizes)
      text += std::string(size.times < 0 ? " - " : " + ") +
              (std::abs(size.times) == 1 ? "" : std::to_string(std::abs(size.times)) + " * ") + "size(" +
              name(size.index) + ")";
    const bool sum = place.line.terms.size() + place.sizes.size() + (place.line.plus != 0 ? 1 : 0) > 1;
    view.name +=
        place.divide == 1 ? text : (sum ? "(" + text + ")" : text) + " / " + std::to_string(place.divide);
    require_inside(place, from.dims[dim], text);
  }
  if (same && itself.node != -1) return itself;
  view.name += "]";
  for (const int index : members(set)) view.dims.push_back(static_cast<std::uint8_t>(index));
  Value result;
  for (std::size_t i = 0; i < graph_.inputs.size() && result.node == -1; ++i)
    if (graph_.inputs[i].view_of == source && graph_.inputs[i].view == places &&
        graph_.inputs[i].dims == view.dims)
      result.node = input_value(static_cast<int>(i));
  if (result.node == -1) result.node = input_value(add_input(view));
  return result;
}

Value Builder::settled(const Value& value, IndexSet beside) {
  if (value.placed.empty()) return value;
  Value result;
  for (const Placed& each : value.placed) {
    const int input = placed_input(each, static_cast<IndexSet>(each.set() | beside));
    result.node = result.node == -1 ? input : make({Op::mul, result.node, input, -1, 0}, 0);
  }
  return result;
}

void Builder::settle_both(Value& a, Value& b) {
  const auto tensor = [](const Value& value) { return value.node != -1; };
  for (auto [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (one->placed.empty()) continue;
    IndexSet own = 0, beside = 0;
    for (const Placed& each : one->placed) own |= each.set();
    if (tensor(*other)) {
      beside = indices_beside(own, shape(other->node));
    }
    *one = settled(*one, static_cast<IndexSet>(one->placed.size() > 1 ? own | beside : beside));
  }
}

}  // namespace workbook::opt
