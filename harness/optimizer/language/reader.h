// The lines of a program text, a word at a time, and errors at their places.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "optimizer/language/text.h"
#include "optimizer/language/tokens.h"

namespace workbook::opt {

class LineReader {
 public:
  LineReader(std::string_view text, std::string_view file) : file_(file) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.emplace_back(text.substr(at, end - at));
      at = end + 1;
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      line_ = static_cast<int>(i) + 1;
      try {
        tokens_.push_back(tokens_of(lines_[i]));
      } catch (const BadCharacter& bad) {
        fail(bad.column, bad.sentence);
      }
    }
  }

 protected:
  [[noreturn]] void fail_in(int line, int column, std::string_view sentence) const {
    const std::string_view source = line >= 1 && line <= static_cast<int>(lines_.size())
                                        ? std::string_view(lines_[static_cast<std::size_t>(line) - 1])
                                        : std::string_view();
    throw TextError(file_, line, column, source, sentence);
  }
  [[noreturn]] void fail(int column, std::string_view sentence) const {
    fail_in(line_, instead_ != nullptr ? instead_column_ : column, sentence);
  }
  [[noreturn]] void fail(std::string_view sentence) const { fail(peek().column, sentence); }
  [[noreturn]] void fail_at_end(std::string_view sentence) const {
    fail_in(static_cast<int>(lines_.size()), static_cast<int>(lines_.back().size()) + 1, sentence);
  }
  const Token& peek(std::size_t ahead = 0) const {
    return line_tokens()[std::min(at_ + ahead, line_tokens().size() - 1)];
  }
  Token take() {
    const Token token = peek();
    if (token.kind != Token::end) ++at_;
    return token;
  }
  bool accept(std::string_view sign) {
    if (peek().kind != Token::sign || peek().text != sign) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view sign) {
    if (!accept(sign)) fail(fmt::format("'{}' is expected here{}", sign, found()));
  }
  std::string found() const {
    return peek().kind == Token::end ? ", not the end of the line" : fmt::format(", not '{}'", peek().text);
  }
  void end_of_line() {
    if (peek().kind == Token::end) return;
    const bool operand = peek().kind != Token::sign;
    fail(fmt::format("the line should end here{}{}", found(),
                     peek().text == "//"  ? "; a comment begins with #"
                     : peek().text == "(" ? "; indices stand in [ ]"
                     : operand            ? ", or a sign or a comma stand before it"
                                          : ""));
  }

  int line_count() const { return static_cast<int>(lines_.size()); }
  /// The tokens of the line at work.
  const std::vector<Token>& line_tokens() const {
    return instead_ != nullptr ? *instead_ : tokens_[static_cast<std::size_t>(line_) - 1];
  }

  std::vector<std::string> lines_;
  int line_ = 1;        ///< from 1
  std::size_t at_ = 0;  ///< of its tokens
  /// What is read for a part of the line, which begins at that column: the text of a definition.
  const std::vector<Token>* instead_ = nullptr;
  int instead_column_ = 0;

 private:
  std::string file_;
  std::vector<std::vector<Token>> tokens_;
};

}  // namespace workbook::opt
