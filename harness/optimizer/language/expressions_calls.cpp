// Calls and parts in the right side of a line: functions, what is written with them, elements at other
// places.
#include <charconv>

#include "optimizer/language/expressions.h"
#include "optimizer/language/nearest.h"

namespace workbook::opt {

namespace {

/// "where(c, a, b)": as a call of what the language has is written.
std::string_view written(std::string_view function) {
  static constexpr std::pair<std::string_view, std::string_view> kWritten[] = {
      {"where", "where(c, a, b)"},
      {"pow", "pow(x, 2)"},
      {"sum", "sum(h, x)"},
      {"mean", "mean(h, x)"},
      {"rms", "rms(h, x, 1e-5)"},
      {"max", "max(x, a), or over an index max(h, x)"},
      {"min", "min(x, a), or over an index min(h, x)"}};
  for (const auto& [name, text] : kWritten)
    if (name == function) return text;
  return "exp(x)";
}

}  // namespace

/// A comma, or words that have the call as a whole.
void Expressions::next_argument(std::string_view sign, std::string_view all) {
  if (accept(sign)) return;
  if (peek().text == "=") fail(fmt::format("arguments have no names, and a comparison is ==: {}", all));
  fail(fmt::format("'{}' is expected here{}: {}", sign, found(), all));
}

void Expressions::unknown(const Token& name) {
  if (const std::string_view words = instead_of(name.text); !words.empty()) fail(name.column, words);
  std::vector<std::string> known;
  const auto like = [&] {
    const std::string other = nearest(name.text, known);
    return other.empty() ? "" : ", but '" + other + "'";
  };
  if (peek().text == "(") {
    known = definition_names();
    known.insert(known.end(), std::begin(kFunctions), std::end(kFunctions));
    for (const Unary& row : unary_functions()) known.emplace_back(row.name);
    fail(name.column, fmt::format("there is no function '{}'{}; there are {}, and what is written with them, "
                                  "such as clamp, softmax and rms_norm",
                                  name.text, like(), function_list()));
  }
  std::string all;
  for (const auto& [each, value] : values_) {
    known.push_back(each);
    if (known.size() <= 8) all += (all.empty() ? "" : ", ") + each;
  }
  for (const auto& [each, index] : indices_) known.push_back(each);
  fail(name.column, fmt::format("there is no tensor '{}'{}; there are {}", name.text, like(), all));
}

Value Expressions::defined(const Token& function, const Definition& definition) {
  expect("(");
  if (++depth_ > 200) fail(function.column, "too many parentheses");
  const int index = definition.over ? index_first(function) : -1;
  const std::string all = opt::written(definition);
  std::vector<Value> arguments;
  for (int i = 0; i < definition.arguments; ++i) {
    if (i > 0 && i + 1 == definition.arguments && !definition.last.empty() && peek().text == ")") {
      double value = 0.0;
      std::from_chars(definition.last.data(), definition.last.data() + definition.last.size(), value);
      arguments.push_back(builder_->number(value, std::string(definition.last)));
      continue;
    }
    if (i > 0) next_argument(",", all);
    arguments.push_back(expression());
    arguments.back().fresh = false;
  }
  next_argument(")", all);
  const std::vector<Token> tokens = tokens_of(definition.text);
  const std::size_t behind = at_;
  at_ = 0;
  instead_ = &tokens;
  instead_column_ = function.column;
  bound_ = std::move(arguments);
  bound_index_ = index;
  const Value result = guarded(function.column, [&] { return expression(); });
  instead_ = nullptr;
  bound_.clear();
  at_ = behind;
  --depth_;
  return result;
}

int Expressions::index_first(const Token& function) {
  if (peek().kind == Token::name && peek(1).text == "," && !names_index(peek().text) &&
      !values_.contains(peek().text))
    fail(fmt::format("there is no index '{}'; there are {}", peek().text, index_list()));
  if (peek().kind != Token::name || !names_index(peek().text) || peek(1).text != ",")
    fail(fmt::format("{0} names the index first over which it goes: {0}(h, x)", function.text));
  const int index = index_name();
  expect(",");
  return index;
}

/// In the text of a definition its own index alone.
bool Expressions::names_index(std::string_view name) const {
  return instead_ != nullptr ? name == "i" : indices_.contains(name);
}

Value Expressions::element_of(const Token& name, const Value& value) {
  const auto& inputs = builder_->graph().inputs;
  const auto known =
      std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == name.text; });
  expect("[");
  std::vector<Coordinate> places;
  if (known == inputs.end() || known->constant >= 0 || known->given) {
    IndexSet named = 0;
    do {
      places.push_back(coordinate());
      const Coordinate& place = places.back();
      if (place.line.terms.size() != 1 || !place.is_index(place.line.terms.front().index))
        named = 0, places.clear();
      if (places.empty()) break;
      named |= only(place.line.terms.front().index);
    } while (accept(","));
    if (places.empty() || named != builder_->indices_of(value))
      fail(
          name.column,
          fmt::format("of '{}', which is computed, there are no parts: take them of what it is computed from",
                      name.text));
    expect("]");
    return value;
  }
  const auto source = static_cast<int>(known - inputs.begin());
  const std::size_t dims = known->dims.size();
  do places.push_back(coordinate());
  while (places.size() < dims && accept(","));
  if (places.size() < dims || peek().text == ",") {
    std::string own;
    for (const std::uint8_t dim : known->dims)
      own += (own.empty() ? "" : ", ") + builder_->graph().indices[dim].name;
    fail(fmt::format("{0} has {1} dimensions: {0}[{2}]", name.text, dims, own));
  }
  expect("]");
  return guarded(name.column, [&] { return builder_->viewed(source, places, value); });
}

/// concat(i, a, b): along i what a has along its own index, then what b has.
Value Expressions::concatenated(const Token& function) {
  const int index = index_name();
  Value result;
  std::vector<Placed::Term> before;
  std::int64_t teaching = 0, real = 0;
  while (accept(",")) {
    const Token name = take();
    const auto& graph = builder_->graph();
    const auto known = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                    [&](const Tensor& t) { return t.name == name.text; });
    if (known == graph.inputs.end() || !known->is_stored())
      fail(name.column, "concat takes inputs: concat(i, a, b)");
    const auto source = static_cast<int>(known - graph.inputs.begin());
    std::vector<Coordinate> places;
    int own = -1;
    for (const std::uint8_t dim : known->dims) {
      Coordinate& place = places.emplace_back();
      place.line = {Placed::number, {{dim, 1}}, 0};
      if (has(output_set_, dim)) continue;
      if (own >= 0) fail(name.column, fmt::format("two indices of {} are none of the output's", name.text));
      own = dim;
      place.line.terms = {{static_cast<std::uint8_t>(index), 1}};
      place.sizes = before;
    }
    if (own < 0)
      fail(name.column, fmt::format("{} has no index of its own that could be a part of {}", name.text,
                                    graph.indices[static_cast<std::size_t>(index)].name));
    teaching += graph.indices[static_cast<std::size_t>(own)].teaching;
    real += graph.indices[static_cast<std::size_t>(own)].real;
    const Value part = guarded(name.column, [&] { return builder_->viewed(source, places, {}); });
    const auto at = std::lower_bound(before.begin(), before.end(), own,
                                     [](const Placed::Term& term, int other) { return term.index < other; });
    if (at != before.end() && at->index == own)
      --at->times;
    else
      before.insert(at, {static_cast<std::uint8_t>(own), -1});
    // Outside of itself each is 0.
    result = result.node == -1 ? part : guarded(function.column, [&] {
      return builder_->binary(Op::add, result, part, output_set_);
    });
  }
  expect(")");
  const Index& whole = builder_->graph().indices[static_cast<std::size_t>(index)];
  if (whole.teaching != teaching || whole.real != real)
    fail(function.column, fmt::format("{} is {} {}, and the parts are {} {} together", whole.name,
                                      whole.teaching, whole.real, teaching, real));
  return result;
}
Value Expressions::call(const Token& function) {
  if (peek().text == "[") fail(fmt::format("an index is an argument: {}", written(function.text)));
  expect("(");
  if (function.text == "place" || function.text == "size") {
    const int index = index_name();
    expect(")");
    return function.text == "place" ? builder_->place(index) : builder_->size(index);
  }
  if (function.text == "concat") return concatenated(function);
  if (++depth_ > 200) fail(function.column, "too many parentheses");
  const std::string_view all = written(function.text);
  const bool of_two = function.text == "max" || function.text == "min";
  const bool over = function.text == "sum" || function.text == "mean" || function.text == "rms" ||
                    (of_two && peek().kind == Token::name && names_index(peek().text) &&
                     peek(1).text == ",");  // else a condition: max(s < t, t < 4)
  int index = -1;
  std::vector<int> outer;  // sum(b, h, x)
  if (over) {
    index = index_first(function);
    while (function.text != "rms" && peek().kind == Token::name && names_index(peek().text) &&
           peek(1).text == ",") {
      outer.push_back(index);
      index = index_name();
      expect(",");
    }
  }
  Value argument = expression();
  Value second, third;
  std::optional<Value> eps;
  const bool several = of_two && !over;
  if (function.text == "where" || function.text == "pow" || several) {
    next_argument(",", all);
    second = expression();
  }
  while (several && accept(",")) {  // max(x, z, 0)
    argument = guarded(function.column, [&] { return called(function, -1, argument, second, third, eps); });
    second = expression();
  }
  if (function.text == "where") {
    next_argument(",", all);
    third = expression();
  }
  if (function.text == "rms" && accept(",")) eps = expression();
  next_argument(")", all);
  --depth_;
  Value result =
      guarded(function.column, [&] { return called(function, index, argument, second, third, eps); });
  for (auto at = outer.rbegin(); at != outer.rend(); ++at) {
    const Value inner = result;
    result = guarded(function.column, [&] { return called(function, *at, inner, second, third, eps); });
  }
  return result;
}

Value Expressions::called(const Token& function, int index, const Value& argument, const Value& second,
                          const Value& third, const std::optional<Value>& eps) {
  if (function.text == "sum") return builder_->sum(index, argument);
  if (function.text == "mean") return builder_->mean(index, argument);
  if (function.text == "rms") return builder_->rms(index, argument, eps);
  if (function.text == "pow") return builder_->power(argument, second);
  if (function.text == "where") return builder_->chosen(argument, second, third, output_set_);
  if (function.text == "exp") return builder_->exponential(argument);
  if (function.text == "max")
    return index >= 0 ? builder_->max_over(index, argument)
                      : builder_->binary(Op::max, argument, second, output_set_);
  if (function.text == "min")
    return index >= 0 ? builder_->min_over(index, argument)
                      : builder_->minimum(argument, second, output_set_);
  return builder_->unary(base_of(function.text), argument);
}

}  // namespace workbook::opt
