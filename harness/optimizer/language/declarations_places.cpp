// Where elements of a view or a part lie: "b", "2 * i + 1", "h + size(h)", "(s + 1) / 4", "id".
#include "optimizer/language/declarations.h"

namespace workbook::opt {

void Declarations::read_view(Tensor& tensor) {
  expect("=");
  const Token source = take();
  const auto& inputs = builder_->graph().inputs;
  const auto known =
      std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == source.text; });
  if (known == inputs.end() || known->view_of >= 0 || known->given)
    fail(source.column, fmt::format("there is no input '{}'", source.text));
  tensor.view_of = static_cast<int>(known - inputs.begin());
  tensor.storage = known->storage;
  expect("[");
  for (std::size_t dim = 0; dim < known->dims.size(); ++dim) {
    if (dim > 0) expect(",");
    const int column = peek().column;
    tensor.view.push_back(coordinate());
    for (const Placed::Term& term : tensor.view.back().line.terms)
      if (!has(tensor.set(), term.index)) fail(column, fmt::format("{} has no such index", tensor.name));
  }
  expect("]");
}

Coordinate Declarations::chosen_by(const Token& name) {
  Coordinate place;
  place.line.kind = Placed::number;
  const auto& inputs = builder_->graph().inputs;
  const auto known =
      std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == name.text; });
  if (known == inputs.end())
    fail(name.column,
         fmt::format("there is no index '{0}', and no input {0} of type i32, to choose with", name.text));
  if (known->storage != Storage::i32)
    fail(name.column, fmt::format("{0} is {1}, and what chooses is i32: input {0} i32", name.text,
                                  name_of(known->storage)));
  if (peek().text == "[" && dims() != known->dims)
    fail(name.column, fmt::format("{} chooses with its own indices in their order", name.text));
  if (peek().text != "," && peek().text != "]")
    fail(fmt::format("{0} chooses by what it holds alone: give an input that holds the places", name.text));
  place.by = static_cast<int>(known - inputs.begin());
  return place;
}

Coordinate Declarations::coordinate() {
  Coordinate place;
  place.line.kind = Placed::number;
  if (peek().kind == Token::name && !indices_.contains(peek().text) && peek().text != "size")
    return chosen_by(take());
  sum_of_places(place);
  return place;
}

void Declarations::sum_of_places(Coordinate& place) {
  for (int sign = accept("-") ? -1 : 1;;) {
    const int column = peek().column;
    Coordinate term;
    term.line.kind = Placed::number;
    if (accept("(")) {
      sum_of_places(term);
      expect(")");
    } else {
      coordinate_term(term);
    }
    if (peek().text == "%")
      fail("a place has no remainder: declare the index as two, i and j, of which the remainder is j");
    if (accept("/") || accept("//")) {
      if (term.divide > 1) fail(column, "a place is divided once");
      term.divide = static_cast<int>(whole_number());
    }
    if (term.divide > 1 && place.divide > 1)
      fail(column, "a place is divided once; what is divided as a sum stands in parentheses: x[(t + 1) / 2]");
    if (term.divide > 1) {
      add_place(place, Coordinate(place), term.divide - 1, column);
      place.divide = term.divide;
      add_place(place, term, sign, column);
      if (sign < 0) place.line.plus += term.divide - 1;  // less what is rounded down
    } else {
      add_place(place, term, std::int64_t{sign} * place.divide, column);
    }
    if (accept("+"))
      sign = 1;
    else if (accept("-"))
      sign = -1;
    else
      break;
  }
}

void Declarations::add_place(Coordinate& to, const Coordinate& from, std::int64_t times, int column) const {
  const auto add = [&](std::vector<Placed::Term>& terms, const std::vector<Placed::Term>& more) {
    for (const Placed::Term& each : more)
      if (std::abs(each.times * times) > Placed::kMostTimes)
        fail(column, "a place times 0, or more than 2^20");
    add_terms(terms, more, static_cast<std::int32_t>(times));
  };
  add(to.line.terms, from.line.terms);
  add(to.sizes, from.sizes);
  to.line.plus += from.line.plus * times;
}

void Declarations::coordinate_term(Coordinate& place) {
  std::int64_t times = 1;
  const int column = peek().column;
  if (peek().kind == Token::number) {
    times *= whole_or_zero();
    if (!accept("*")) {
      place.line.plus += times;
      return;
    }
  }
  const bool extent = peek().kind == Token::name && peek().text == "size";
  if (extent) take(), expect("(");
  const auto index = static_cast<std::uint8_t>(index_name());
  if (extent) expect(")");
  if (!extent && accept("*")) times *= whole_number();
  if (times == 0 || times > Placed::kMostTimes) fail(column, "a place times 0, or more than 2^20");
  (extent ? place.sizes : place.line.terms).push_back({index, static_cast<std::int32_t>(times)});
}

std::int64_t Declarations::whole_or_zero() {
  if (peek().value == 0.0) return take(), 0;
  return whole_number();
}

}  // namespace workbook::opt
