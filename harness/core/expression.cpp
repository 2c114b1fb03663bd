#include "expression.h"

#include <cctype>
#include <charconv>
#include <stdexcept>
#include <string>

#include "workbook/bound.h"

namespace workbook::core {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Dims& dims) : whole_(text), rest_(text), dims_(dims) {}

  std::int64_t all() {
    const std::int64_t value = sum();
    if (skip(); !rest_.empty()) fail("'" + std::string(rest_) + "' is left over");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("the size '" + std::string(whole_) + "': " + what);
  }

  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void need(char c) {
    if (!take(c)) fail(std::string("a '") + c + "' is missing");
  }

  std::int64_t sum() {
    std::int64_t value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }

  std::int64_t product() {
    std::int64_t value = factor();
    for (;;) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= divisor();
      else
        return value;
    }
  }

  std::int64_t divisor() {
    const std::int64_t value = factor();
    if (value <= 0) fail("it divides by " + std::to_string(value));
    return value;
  }

  std::int64_t factor() {
    if (take('(')) {
      const std::int64_t value = sum();
      need(')');
      return value;
    }
    skip();
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) || rest_[length] == '_'))
      ++length;
    if (length == 0) fail(rest_.empty() ? "it ends too early" : "'" + std::string(rest_) + "' is no size");
    const std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (std::isdigit(static_cast<unsigned char>(word.front()))) return number(word);
    if (word == "ceil") return rounded_up();
    if (!dims_.has(word)) fail("no dimension is called '" + word + "'");
    return dims_[word];
  }

  std::int64_t number(const std::string& word) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc()) fail("'" + word + "' is too large");
    if (end != word.data() + word.size()) fail("'" + word + "' is no size: a product is written 2*N");
    return value;
  }

  /// For ceil(B*S/16), from behind its bracket.
  [[noreturn]] void ask_for_brackets(std::string_view inside) const {
    int depth = 0;
    std::size_t slash = std::string_view::npos, end = 0;
    for (; end < inside.size() && (depth > 0 || inside[end] != ')'); ++end) {
      depth += inside[end] == '(' ? 1 : inside[end] == ')' ? -1 : 0;
      if (depth == 0 && inside[end] == '/') slash = end;
    }
    if (slash >= end) fail("a '/' is missing");
    fail("ceil() divides one factor by another: ceil((" + std::string(inside.substr(0, slash)) + ")" +
         std::string(inside.substr(slash, end - slash)) + ")");
  }

  std::int64_t rounded_up() {
    need('(');
    const std::string_view inside = rest_;
    const std::int64_t dividend = factor();
    skip();
    if (!rest_.empty() && std::string_view("*+-").find(rest_.front()) != std::string_view::npos)
      ask_for_brackets(inside);
    need('/');
    const std::int64_t value = divisor();
    need(')');
    return (dividend + value - 1) / value;
  }

  std::string_view whole_, rest_;
  const Dims& dims_;
};

}  // namespace

std::int64_t evaluate(std::string_view expression, const Dims& dims) {
  return Parser(expression, dims).all();
}

}  // namespace workbook::core

namespace workbook {

Bound::Bound(const char* expression)
    : of_([text = std::string_view(expression)](const Dims& dims) {
        return static_cast<double>(core::evaluate(text, dims));
      }) {}

}  // namespace workbook
