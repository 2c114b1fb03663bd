// The right side of a line of program text.
//   either      both {or both}                 `|` and `&` are the same as `or` and `and`
//   both        comparison {and comparison}
//   comparison  sum [> < >= <= == != sum]      1 where it holds, else 0
//   sum         term {+ - term}
//   term        factor {* / factor}
//   factor      - factor | + factor | primary [** factor]
//   primary     number | name | ( either ) | function ( arguments ) | '|' sum '|'
#pragma once

#include <limits>

#include "optimizer/language/declarations.h"
#include "optimizer/language/definitions.h"

namespace workbook::opt {

class Expressions : protected Declarations {
 public:
  using Declarations::Declarations;

 protected:
  Value expression() {
    Value left = both();
    while (is_word("or", "|")) {
      const int column = take().column;
      const Value right = both();
      left = guarded(column, [&] { return builder_->binary(Op::max, left, right, output_set_); });
    }
    if (is_word("if", "")) fail("a choice is where(c, a, b): a where c holds, else b");
    return left;
  }
  bool is_word(std::string_view word, std::string_view sign) const {
    return (peek().kind == Token::name && peek().text == word) ||
           (peek().kind == Token::sign && peek().text == sign);
  }
  Value both() {
    Value left = comparison();
    while (is_word("and", "&")) {
      const int column = take().column;
      const Value right = comparison();
      left = guarded(column, [&] { return builder_->binary(Op::mul, left, right, output_set_); });
    }
    return left;
  }
  static bool compares(const Token& sign) {
    static constexpr std::string_view kSigns[] = {">", "<", ">=", "<=", "==", "!="};
    return sign.kind == Token::sign && std::count(std::begin(kSigns), std::end(kSigns), sign.text) != 0;
  }
  Value comparison() {
    const Value left = sum();
    const Token sign = peek();
    if (!compares(sign)) return left;
    take();
    const Value right = sum();
    if (compares(peek())) fail("two comparisons are joined by and: 0 < x and x < 1");
    return guarded(sign.column, [&] { return builder_->compared(sign.text, left, right, output_set_); });
  }
  Value sum() {
    Value left = term();
    while (peek().kind == Token::sign && (peek().text == "+" || peek().text == "-")) {
      const Token sign = take();
      const Value right = term();
      left = guarded(sign.column, [&] {
        return builder_->binary(sign.text == "+" ? Op::add : Op::sub, left, right, output_set_);
      });
    }
    return left;
  }
  Value term() {
    Value left = factor();
    while (peek().kind == Token::sign && (peek().text == "*" || peek().text == "/")) {
      const Token sign = take();
      if (sign.text == "/" && peek().text == "/" && peek().kind == Token::sign)
        fail("a division that rounds down is floor(x / 2)");
      const Value right = factor();
      left = guarded(sign.column, [&] {
        return builder_->binary(sign.text == "*" ? Op::mul : Op::div, left, right, output_set_);
      });
    }
    return left;
  }
  Value factor() {
    const int column = peek().column;
    if (accept("-")) {
      if (++depth_ > 200) fail(column, "too many signs");
      const Value value = factor();
      --depth_;
      return guarded(column, [&] { return builder_->negative(value); });
    }
    if (accept("+")) return factor();
    const Value base = primary();
    if (!accept("**")) return base;
    const int by = peek().column;
    const Value power = factor();
    return guarded(by, [&] { return builder_->power(base, power); });
  }
  Value primary() {
    const Token token = take();
    if (token.kind == Token::number) return builder_->number(token.value, token.text);
    if (token.kind == Token::name && token.text == "inf")
      return builder_->number(std::numeric_limits<double>::infinity(), token.text);
    if (token.kind == Token::sign && token.text == "(") {
      if (++depth_ > 200) fail(token.column, "too many parentheses");
      const Value inner = expression();
      --depth_;
      expect(")");
      return inner;
    }
    if (token.kind == Token::sign && token.text == "|") {
      if (++depth_ > 200) fail(token.column, "too many bars");
      const Value inner = sum();
      --depth_;
      expect("|");
      return guarded(token.column, [&] { return builder_->unary(base_of("abs"), inner); });
    }
    if (token.kind != Token::name) {
      --at_;
      if (token.kind == Token::end) ++at_;
      fail(token.column, fmt::format("a tensor, a number or a function is expected here{}",
                                     token.kind == Token::end ? ", not the end of the line" : ""));
    }
    static constexpr std::string_view kBound[] = {"x", "a", "b"};
    for (std::size_t i = 0; i < bound_.size() && instead_ != nullptr; ++i)
      if (token.text == kBound[i]) return bound_[i];
    if (is_function(token.text)) return call(token);
    const auto value = values_.find(token.text);
    if (value != values_.end()) {
      Value result = value->second;
      result.fresh = false;
      return peek().text == "[" ? element_of(token, result) : result;
    }
    const auto index = indices_.find(token.text);
    if (index != indices_.end()) return builder_->extent(index->second);
    if (const Definition* const known = peek().text == "(" ? definition_of(token.text) : nullptr)
      return defined(token, *known);
    if (const std::string_view words = instead_of(token.text); !words.empty()) fail(token.column, words);
    fail(token.column, peek().text == "(" ? fmt::format("there is no function '{}'; there are {}", token.text,
                                                        function_list())
                                          : fmt::format("there is no tensor '{}'", token.text));
  }
  /// clamp(x, 0, 6): what its text comes to, with these arguments.
  Value defined(const Token& function, const Definition& definition) {
    expect("(");
    if (++depth_ > 200) fail(function.column, "too many parentheses");
    const int index = definition.over ? index_first(function) : -1;
    std::vector<Value> arguments;
    for (int i = 0; i < definition.arguments; ++i) {
      if (i > 0) expect(",");
      arguments.push_back(expression());
      arguments.back().fresh = false;
    }
    expect(")");
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
  /// The index over which a function goes, and the comma behind it.
  int index_first(const Token& function) {
    if (peek().kind != Token::name || (!indices_.contains(peek().text) && instead_ == nullptr) ||
        peek(1).text != ",")
      fail(fmt::format("{0} names the index first over which it goes: {0}(h, x)", function.text));
    const int index = index_name();
    expect(",");
    return index;
  }
  /// "x[b, 2 * i + 1]", "table[id, h]": an input at other places.
  Value element_of(const Token& name, const Value& value) {
    const auto& inputs = builder_->graph().inputs;
    const auto known =
        std::find_if(inputs.begin(), inputs.end(), [&](const Tensor& t) { return t.name == name.text; });
    if (known == inputs.end() || known->constant >= 0)
      fail(name.column,
           fmt::format("of '{}', which is computed, there are no parts: take them of what it is computed "
                       "from",
                       name.text));
    const auto source = static_cast<int>(known - inputs.begin());
    const std::size_t dims = known->dims.size();
    expect("[");
    std::vector<Coordinate> places;
    do places.push_back(coordinate());
    while (places.size() < dims && accept(","));
    if (places.size() < dims) fail(fmt::format("{} has {} dimensions", name.text, dims));
    expect("]");
    return guarded(name.column, [&] { return builder_->viewed(source, places, value); });
  }
  /// concat(i, a, b): along i what a has along its own index, then what b has.
  Value concatenated(const Token& function) {
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
      const auto at =
          std::lower_bound(before.begin(), before.end(), own,
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
  Value call(const Token& function) {
    expect("(");
    if (function.text == "place") {
      const int index = index_name();
      expect(")");
      return builder_->place(index);
    }
    if (function.text == "size") {
      const int index = index_name();
      expect(")");
      return builder_->size(index);
    }
    if (function.text == "concat") return concatenated(function);
    if (++depth_ > 200) fail(function.column, "too many parentheses");
    const bool of_two = function.text == "max" || function.text == "min";
    const bool over = function.text == "sum" || function.text == "mean" || function.text == "rms" ||
                      (of_two && peek().kind == Token::name && indices_.contains(peek().text) &&
                       peek(1).text == ",");  // else a condition: max(s < t, t < 4)
    int index = -1;
    std::vector<int> outer;  // sum(b, h, x)
    if (over) {
      index = index_first(function);
      while (function.text != "rms" && peek().kind == Token::name && indices_.contains(peek().text) &&
             peek(1).text == ",") {
        outer.push_back(index);
        index = index_name();
        expect(",");
      }
    }
    const Value argument = expression();
    Value second, third;
    std::optional<Value> eps;
    if (function.text == "where" || (of_two && !over)) {
      expect(",");
      second = expression();
    }
    if (function.text == "where") {
      expect(",");
      third = expression();
    }
    if (function.text == "rms" && accept(",")) eps = expression();
    if (function.text == "pow") {
      expect(",");
      second = expression();
    }
    expect(")");
    --depth_;
    Value result =
        guarded(function.column, [&] { return called(function, index, argument, second, third, eps); });
    for (auto at = outer.rbegin(); at != outer.rend(); ++at) {
      const Value inner = result;
      result = guarded(function.column, [&] { return called(function, *at, inner, second, third, eps); });
    }
    return result;
  }
  Value called(const Token& function, int index, const Value& argument, const Value& second,
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

 private:
  int depth_ = 0;  ///< of parentheses and signs
};

}  // namespace workbook::opt
