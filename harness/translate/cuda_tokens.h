// CUDA C++ source cut into tokens, as far as the rewriter needs them: it works on the text as it was written,
// before the preprocessor, so macro bodies are code too.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

struct Token {
  enum class Kind { word, number, text, mark };
  Kind kind = Kind::mark;
  std::size_t begin = 0, end = 0;  ///< in the source
  int macro = 0;                   ///< 0 outside of macro definitions; else which one's body it belongs to
  /// Of code in an #else or #elif that opens or closes as many brackets as what stands in its place, so that
  /// they come twice: which one; 0: of none.
  int branch = 0;
};

class Tokens {
 public:
  /// Comments, line breaks and directives other than #define give no tokens. Marks are one character each,
  /// but for "::" and "->". The source must outlive this.
  explicit Tokens(std::string_view source);

  std::size_t size() const { return list_.size(); }
  const Token& operator[](std::size_t i) const { return list_[i]; }
  std::string_view source() const { return source_; }
  /// Empty past the end.
  std::string_view text(std::size_t i) const;
  bool is(std::size_t i, std::string_view text) const;
  bool is_one_of(std::size_t i, std::initializer_list<std::string_view> texts) const {
    for (const std::string_view text : texts)
      if (is(i, text)) return true;
    return false;
  }
  bool is_word(std::size_t i) const { return i < size() && list_[i].kind == Token::Kind::word; }
  /// Whether `i` and what follows are `text`, a mark a character, without space between.
  bool starts(std::size_t i, std::string_view marks) const;

  /// The closing bracket of the opening one at `i`, or size().
  std::size_t closing(std::size_t i) const;
  /// The opening bracket of the closing one at `i`, or size(). For '>' the '<' of a template argument list.
  std::size_t opening(std::size_t i) const;
  /// The '>' of the template argument list that begins with the '<' at `i`, or size().
  std::size_t closing_angle(std::size_t i) const;

  /// Where the statement that token `i` belongs to begins.
  std::size_t statement(std::size_t i) const;
  /// The name declared after the `__global__` or `__device__` at `i`: the first word before a parenthesis
  /// that is no attribute; or size().
  std::size_t declared_name(std::size_t i) const;

  /// Tokens [begin, end) on one line, with a space where words would touch and after commas.
  std::string joined(std::size_t begin, std::size_t end) const;
  int line(std::size_t i) const;

 private:
  /// Whether a bracket at `k` counts for one at `i`.
  bool counts_for(std::size_t i, std::size_t k) const {
    return list_[k].branch == 0 || list_[k].branch == list_[i].branch;
  }
  bool same_macro(std::size_t a, std::size_t b) const { return list_[a].macro == list_[b].macro; }

  std::string_view source_;
  std::vector<Token> list_;
};

}  // namespace workbook::sim
