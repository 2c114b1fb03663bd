#include "cli/grade/source_words.h"

#include <algorithm>
#include <cctype>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         (static_cast<unsigned char>(c) & 0x80);
}

/// Joins lines that a backslash continues. The line breaks follow where the joined line ends, so that those
/// below keep their numbers.
std::string with_joined_lines(std::string_view text) {
  std::string out;
  int owed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') continue;
    if (text[i] == '\\') {
      const std::size_t end = std::min(text.find_first_not_of(" \t\r", i + 1), text.size());
      if (end < text.size() && text[end] == '\n') {
        ++owed, i = end;
        continue;
      }
    }
    out += text[i];
    if (text[i] == '\n')
      for (; owed > 0; --owed) out += '\n';
  }
  return out;
}

/// The text with blanks in place of comments and of what stands in texts and characters.
class Blanked {
 public:
  explicit Blanked(std::string text) : text_(std::move(text)) {
    while (at_ < text_.size()) step();
  }
  const std::string& text() const { return text_; }

 private:
  void step() {
    const char c = text_[at_];
    if (starts("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') blank();
    } else if (starts("/*")) {
      blank(), blank();
      while (at_ < text_.size() && !starts("*/")) blank();
      if (at_ < text_.size()) blank(), blank();
    } else if (c == '"') {
      if (is_raw())
        raw();
      else
        quoted('"');
    } else if (c == '\'' && !separates_digits()) {
      quoted('\'');
    } else {
      ++at_;
    }
  }
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  void blank() {
    if (text_[at_] != '\n') text_[at_] = ' ';
    ++at_;
  }
  /// The word that ends right before.
  std::string_view word_before() const {
    std::size_t begin = at_;
    while (begin > 0 && is_word_character(text_[begin - 1])) --begin;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  bool separates_digits() const {
    const std::string_view word = word_before();
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) &&
           at_ + 1 < text_.size() && is_word_character(text_[at_ + 1]);
  }
  bool is_raw() const {
    const std::string_view word = word_before();
    return word == "R" || word == "uR" || word == "u8R" || word == "UR" || word == "LR";
  }
  void quoted(char end) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') blank();
      blank();
    }
    if (at_ < text_.size() && text_[at_] == end) ++at_;
  }
  void raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string::npos) return quoted('"');
    const std::string close = ')' + text_.substr(at_ + 1, open - at_ - 1) + '"';
    const std::size_t end = std::min(text_.find(close, open), text_.size());
    ++at_;
    while (at_ < end) blank();
    while (at_ < text_.size() && text_[at_] != '"') blank();
    if (at_ < text_.size()) ++at_;
  }

  std::string text_;
  std::size_t at_ = 0;
};

void add_words(std::string_view line, int number, bool in_define, std::vector<SourceWord>& words) {
  for (std::size_t i = 0; i < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[i]))) {
      ++i;
      continue;
    }
    std::size_t size = 1;
    if (is_word_character(line[i]))
      while (i + size < line.size() && is_word_character(line[i + size])) ++size;
    else if (const auto two = line.substr(i, 2); two == "::" || two == "##")
      size = 2;
    words.push_back({std::string(line.substr(i, size)), number, in_define});
    i += size;
  }
}

}  // namespace

SourceWords words_of(std::string_view text) {
  const std::string joined_lines = with_joined_lines(text);
  const std::vector<std::string> lines = lines_of(Blanked(joined_lines).text()),
                                 written = lines_of(joined_lines);
  SourceWords out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    std::string_view line = trimmed(lines[i]);
    if (!line.starts_with('#') && !line.starts_with("%:")) {
      add_words(line, number, false, out.words);
      continue;
    }
    line = trimmed(line.substr(line.starts_with('#') ? 1 : 2));
    std::size_t end = 0;
    while (end < line.size() && std::isalpha(static_cast<unsigned char>(line[end]))) ++end;
    SourceDirective directive{std::string(line.substr(0, end)), std::string(trimmed(line.substr(end))),
                              number};
    if (directive.name == "define") add_words(directive.rest, number, true, out.words);
    // What is included in quotes is blank by now.
    if (directive.name.starts_with("include") || directive.name == "import") {
      const std::size_t at = written[i].find(directive.name);
      directive.rest = at == std::string::npos ? "" : trimmed(written[i].substr(at + directive.name.size()));
    }
    out.directives.push_back(std::move(directive));
  }
  return out;
}

}  // namespace workbook::cli
