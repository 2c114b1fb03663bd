// The right side of a line of program text.
//   either      both {or both}                 `|` and `&` are the same as `or` and `and`
//   both        opposite {and opposite}
//   opposite    not opposite | comparison      `!` and `~` are `not` of a factor
//   comparison  sum [> < >= <= == != sum]      1 where it holds, else 0
//   sum         term {+ - term}
//   term        factor {* / // % factor}       // rounds down, and % is what it leaves
//   factor      - factor | + factor | ! factor | primary [** factor]
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
      if (peek().text == "|" && peek().column == column + 1) take();  // as C has it
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
    Value left = opposite();
    while (is_word("and", "&")) {
      const int column = take().column;
      const Value right = opposite();
      left = guarded(column, [&] { return builder_->binary(Op::mul, left, right, output_set_); });
    }
    return left;
  }
  Value opposite() {
    if (peek().text != "not" || values_.contains("not")) return comparison();
    const int column = take().column;
    if (++depth_ > 200) fail(column, "too many signs");
    const Value value = opposite();
    --depth_;
    return guarded(column, [&] { return builder_->opposite_of(value); });
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
    std::vector<std::pair<Token, Value>> more;
    while (peek().kind == Token::sign && (peek().text == "+" || peek().text == "-")) {
      const Token sign = take();
      more.emplace_back(sign, term());
    }
    widest_first(left, more);
    for (const auto& [sign, right] : more)
      left = guarded(sign.column, [&] {
        return builder_->binary(sign.text == "+" ? Op::add : Op::sub, left, right, output_set_);
      });
    return left;
  }
  /// a[b] + c[d] - e[b,d] is a[b] - e[b,d] + c[d], where nothing of all indices is made before it is there.
  void widest_first(const Value& left, std::vector<std::pair<Token, Value>>& more) const {
    IndexSet all = builder_->indices_of(left);
    bool outer = false;
    for (auto each = more.begin(); each != more.end(); ++each) {
      const IndexSet before = all, one = builder_->indices_of(each->second);
      all |= one;
      if (outer && within(all, one)) {
        std::rotate(more.begin(), each, each + 1);
        return;
      }
      outer = outer || (all != before && all != one && all != output_set_);
    }
  }
  Value term() {
    Value left = factor();
    while (peek().kind == Token::sign &&
           (peek().text == "*" || peek().text == "/" || peek().text == "//" || peek().text == "%")) {
      const Token sign = take();
      const Value right = factor();
      left = guarded(sign.column, [&] {
        return sign.text == "//" ? builder_->rounded_down(left, right, output_set_)
               : sign.text == "%"
                   ? builder_->remainder(left, right, output_set_)
                   : builder_->binary(sign.text == "*" ? Op::mul : Op::div, left, right, output_set_);
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
    if (accept("!") || accept("~")) {
      if (++depth_ > 200) fail(column, "too many signs");
      const Value value = factor();
      --depth_;
      return guarded(column, [&] { return builder_->opposite_of(value); });
    }
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
      fail(token.column,
           fmt::format("a tensor, a number or a function is expected here{}",
                       token.kind == Token::end ? ", not the end of the line"
                       : token.text == "["      ? ", and no list: inputs side by side are concat(i, a, b)"
                                                : ""));
    }
    static constexpr std::string_view kBound[] = {"x", "a", "b"};
    for (std::size_t i = 0; i < bound_.size() && instead_ != nullptr; ++i)
      if (token.text == kBound[i]) return bound_[i];
    if (peek().text == "=" && (is_function(token.text) || !values_.contains(token.text)))
      fail(token.column, "arguments have no names, and stand in their order: clamp(x, 0, 6)");
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
    if (token.text == "pi") return builder_->number(3.141592653589793, token.text);
    unknown(token);
  }
  // ---- calls (expressions_calls.cpp) ----
  /// clamp(x, 0, 6): what its text comes to, with these arguments.
  Value defined(const Token& function, const Definition& definition);
  /// The index over which a function goes, and the comma behind it.
  int index_first(const Token& function);
  /// "x[b, 2 * i + 1]", "table[id, h]": an input at other places.
  Value element_of(const Token& name, const Value& value);
  /// concat(i, a, b): along i what a has along its own index, then what b has.
  Value concatenated(const Token& function);
  Value call(const Token& function);
  Value called(const Token& function, int index, const Value& argument, const Value& second,
               const Value& third, const std::optional<Value>& eps);
  /// The sign, or words that say the whole call.
  void next_argument(std::string_view sign, std::string_view all);
  bool names_index(std::string_view name) const;
  [[noreturn]] void unknown(const Token& name);

 private:
  int depth_ = 0;  ///< of parentheses and signs
};

}  // namespace workbook::opt
