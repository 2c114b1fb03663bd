#include "cuda_tokens.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

namespace workbook::sim {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// 1 of a bracket that opens, -1 of one that closes.
int depth_of(char c) {
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

class Lexer {
 public:
  Lexer(std::string_view source, std::vector<Token>& out) : s_(source), out_(out) {}

  void run() {
    while (i_ < s_.size()) {
      const char c = s_[i_];
      if (skip_break() || skip_comment()) continue;
      if (std::isspace(static_cast<unsigned char>(c)))
        ++i_;
      else if (c == '#' && fresh_line_ && macro_ == 0)
        directive();
      else
        token();
    }
  }

 private:
  bool at(std::string_view text) const { return s_.substr(i_, text.size()) == text; }

  /// Length of a backslash-newline here, else 0.
  std::size_t continuation(std::size_t i) const {
    if (s_.substr(i, 2) == "\\\n") return 2;
    return s_.substr(i, 3) == "\\\r\n" ? 3 : 0;
  }

  bool skip_break() {
    if (const std::size_t length = continuation(i_)) {
      i_ += length;
      return true;
    }
    if (s_[i_] != '\n') return false;
    ++i_;
    fresh_line_ = true;
    macro_ = 0;
    return true;
  }

  bool skip_comment() {
    if (at("//")) {
      skip_line();
      return true;
    }
    if (!at("/*")) return false;
    const std::size_t end = s_.find("*/", i_ + 2);
    i_ = end == std::string_view::npos ? s_.size() : end + 2;
    return true;
  }

  /// To the newline that ends the logical line.
  void skip_line() {
    while (i_ < s_.size() && s_[i_] != '\n') i_ += std::max<std::size_t>(1, continuation(i_));
  }

  void directive() {
    ++i_;
    while (i_ < s_.size() && (s_[i_] == ' ' || s_[i_] == '\t')) ++i_;
    note_condition();
    if (!at("define")) return skip_line();
    i_ += 6;
    macro_ = ++macros_;
    while (i_ < s_.size() && (s_[i_] == ' ' || s_[i_] == '\t')) ++i_;
    while (i_ < s_.size() && is_word_char(s_[i_])) ++i_;  // its name
    if (i_ < s_.size() && s_[i_] == '(') {                // its parameters
      const std::size_t end = s_.find(')', i_);
      i_ = end == std::string_view::npos ? s_.size() : end + 1;
    }
    fresh_line_ = false;
  }

  /// A branch of a condition begins or ends here, if this is the directive that says so.
  void note_condition() {
    if (at("if")) {
      groups_.push_back({out_.size(), 0, true});
    } else if (!groups_.empty() && (at("el") || at("endif"))) {
      Group& group = groups_.back();
      const int change = change_of_depth(group.begin);
      if (std::exchange(group.first, false))
        group.change = change;
      else if (change != 0 && change == group.change)
        mark_branch(group.begin);
      group.begin = out_.size();
      if (at("endif")) groups_.pop_back();
    }
  }
  /// Brackets that what stands from the token on opens and does not close.
  int change_of_depth(std::size_t begin) const {
    int change = 0;
    for (std::size_t i = begin; i < out_.size(); ++i) {
      const Token& t = out_[i];
      if (t.kind != Token::Kind::mark || t.macro != 0 || t.branch != 0) continue;
      change += depth_of(s_[t.begin]);
    }
    return change;
  }
  void mark_branch(std::size_t begin) {
    ++branches_;
    for (std::size_t i = begin; i < out_.size(); ++i)
      if (out_[i].branch == 0) out_[i].branch = branches_;
  }

  void token() {
    fresh_line_ = false;
    const std::size_t begin = i_;
    Token::Kind kind = Token::Kind::mark;
    if (is_digit(s_[i_]) || (s_[i_] == '.' && i_ + 1 < s_.size() && is_digit(s_[i_ + 1]))) {
      kind = Token::Kind::number;
      number();
    } else if (is_word_char(s_[i_])) {
      kind = Token::Kind::word;
      while (i_ < s_.size() && is_word_char(s_[i_])) ++i_;
      if (literal_follows(begin)) kind = Token::Kind::text;
    } else if (s_[i_] == '"' || s_[i_] == '\'') {
      kind = Token::Kind::text;
      quoted();
    } else {
      i_ += at("::") || at("->") ? 2 : 1;
    }
    out_.push_back({kind, begin, i_, macro_, 0});
  }

  void number() {
    while (i_ < s_.size()) {
      const char c = s_[i_], next = i_ + 1 < s_.size() ? s_[i_ + 1] : ' ';
      if (is_word_char(c) || c == '.' || (c == '\'' && is_word_char(next)))
        ++i_;
      else if ((c == '+' || c == '-') && std::string_view("eEpP").find(s_[i_ - 1]) != std::string_view::npos)
        ++i_;
      else
        return;
    }
  }

  /// A prefix such as u8 or R and the literal behind it; true when there was one.
  bool literal_follows(std::size_t begin) {
    const std::string_view prefix = s_.substr(begin, i_ - begin);
    static constexpr std::string_view kPrefixes[] = {"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"};
    if (i_ >= s_.size() || (s_[i_] != '"' && s_[i_] != '\'') ||
        std::find(std::begin(kPrefixes), std::end(kPrefixes), prefix) == std::end(kPrefixes))
      return false;
    if (prefix.back() == 'R' && s_[i_] == '"')
      raw();
    else
      quoted();
    return true;
  }

  void raw() {
    const std::size_t open = s_.find('(', i_);
    if (open == std::string_view::npos) {
      i_ = s_.size();
      return;
    }
    const std::string close = ")" + std::string(s_.substr(i_ + 1, open - i_ - 1)) + "\"";
    const std::size_t end = s_.find(close, open);
    i_ = end == std::string_view::npos ? s_.size() : end + close.size();
  }

  /// Ends at the end of the line at the latest: an apostrophe in text that is skipped opens nothing.
  void quoted() {
    const char quote = s_[i_++];
    while (i_ < s_.size() && s_[i_] != quote && s_[i_] != '\n') {
      if (const std::size_t length = continuation(i_))
        i_ += length;
      else
        i_ += s_[i_] == '\\' && i_ + 1 < s_.size() && s_[i_ + 1] != '\n' ? 2 : 1;
    }
    if (i_ < s_.size() && s_[i_] == quote) ++i_;
  }

  std::string_view s_;
  std::vector<Token>& out_;
  std::size_t i_ = 0;
  bool fresh_line_ = true;
  int macro_ = 0, macros_ = 0;
  /// A condition that the text is in.
  struct Group {
    std::size_t begin;  ///< the first token of its latest branch
    int change;         ///< of brackets, by its first branch
    bool first;         ///< that one is the latest
  };
  std::vector<Group> groups_;
  int branches_ = 0;
};

}  // namespace

Tokens::Tokens(std::string_view source) : source_(source) { Lexer(source, list_).run(); }

std::string_view Tokens::text(std::size_t i) const {
  return i < size() ? source_.substr(list_[i].begin, list_[i].end - list_[i].begin) : std::string_view();
}

bool Tokens::is(std::size_t i, std::string_view text) const {
  if (i >= list_.size()) return text.empty();
  const Token& t = list_[i];
  return t.end - t.begin == text.size() &&
         std::memcmp(source_.data() + t.begin, text.data(), text.size()) == 0;
}

bool Tokens::starts(std::size_t i, std::string_view marks) const {
  for (std::size_t k = 0; k < marks.size(); ++k)
    if (!is(i + k, marks.substr(k, 1)) || (k > 0 && list_[i + k].begin != list_[i + k - 1].end) ||
        !same_macro(i, i + k))
      return false;
  return true;
}

std::size_t Tokens::closing(std::size_t i) const {
  int depth = 0;
  for (std::size_t k = i; k < size() && same_macro(i, k); ++k) {
    if (!counts_for(i, k)) continue;
    if (list_[k].kind == Token::Kind::mark) depth += depth_of(source_[list_[k].begin]);
    if (depth == 0) return k;
  }
  return size();
}

std::size_t Tokens::opening(std::size_t i) const {
  const bool angle = is(i, ">");
  int depth = 0;
  for (std::size_t k = i + 1; k-- > 0 && same_macro(i, k);) {
    if (!counts_for(i, k)) continue;
    if (angle ? is(k, ">") : is(k, ")") || is(k, "]") || is(k, "}")) ++depth;
    if (angle ? is(k, "<") : is(k, "(") || is(k, "[") || is(k, "{")) --depth;
    if (depth == 0) return k;
    if (angle && (is(k, ")") || is(k, "]") || is(k, "}"))) {
      k = opening(k);
      if (k == size()) return size();
    } else if (angle && (is(k, ";") || is(k, "{") || is(k, "("))) {
      return size();
    }
  }
  return size();
}

std::size_t Tokens::closing_angle(std::size_t i) const {
  int depth = 0;
  for (std::size_t k = i; k < size() && same_macro(i, k); ++k) {
    if (is(k, "<")) ++depth;
    if (is(k, ">")) --depth;
    if (depth == 0) return k;
    if (is(k, "(") || is(k, "[") || is(k, "{"))
      k = closing(k);
    else if (is(k, ";") || is(k, ")"))
      return size();
  }
  return size();
}

std::size_t Tokens::statement(std::size_t i) const {
  while (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}") && same_macro(i - 1, i)) --i;
  return i;
}

std::size_t Tokens::declared_name(std::size_t i) const {
  for (++i; i < size() && !is(i, ";") && !is(i, "{"); ++i) {
    if (!is_word(i) || !is(i + 1, "(")) continue;
    if (!text(i).starts_with("__") && !is(i, "alignas")) return i;
    i = closing(i + 1);
  }
  return size();
}

std::string Tokens::joined(std::size_t begin, std::size_t end) const {
  std::string out;
  for (std::size_t i = begin; i < std::min(end, size()); ++i) {
    const bool touch =
        i > begin && list_[i].kind != Token::Kind::mark && list_[i - 1].kind != Token::Kind::mark;
    const bool adjacent_marks = i > begin && list_[i].kind == Token::Kind::mark &&
                                list_[i - 1].kind == Token::Kind::mark && list_[i].begin != list_[i - 1].end;
    if (touch || adjacent_marks || (i > begin && is(i - 1, ","))) out += ' ';
    out += text(i);
  }
  return out;
}

int Tokens::line(std::size_t i) const {
  const std::size_t at = i < size() ? list_[i].begin : source_.size();
  return 1 + static_cast<int>(
                 std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace workbook::sim
