#include "cli/grade/source_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

#include "cli/base/text.h"

namespace workbook::cli {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         (static_cast<unsigned char>(c) & 0x80);
}

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Joins lines that a backslash continues, and has one blank for what g++ takes for one. The line breaks
/// follow where the joined line ends, so that those below keep their numbers.
std::string with_joined_lines(std::string_view text) {
  using namespace std::string_view_literals;
  constexpr std::string_view kBlank = " \t\f\v\r\0"sv;
  std::string out;
  int owed = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::size_t end = std::min(text.find_first_not_of(kBlank, i + 1), text.size());
      if (end < text.size() && text[end] == '\n') {
        ++owed, i = end;
        continue;
      }
    }
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += kBlank.find(text[i]) != std::string_view::npos ? ' ' : text[i];
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
  const std::optional<UnclearPlace>& unclear() const { return unclear_; }

 private:
  void step() {
    const char c = text_[at_];
    if (starts("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') blank();
    } else if (starts("/*")) {
      blank(), blank();
      while (at_ < text_.size() && !starts("*/")) blank();
      if (at_ < text_.size()) blank(), blank();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (is_digit(at_) || (c == '.' && is_digit(at_ + 1))) {
      number();
    } else if (is_word_character(c)) {
      word();
    } else {
      ++at_;
    }
  }
  bool starts(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  bool is_digit(std::size_t at) const {
    return at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at]));
  }
  bool is_word(std::size_t at) const { return at < text_.size() && is_word_character(text_[at]); }
  void blank() {
    if (text_[at_] != '\n') text_[at_] = ' ';
    ++at_;
  }
  /// As the preprocessor sees one, whose quotes separate digits or whatever follows.
  void number() {
    while (is_word(at_) || (at_ < text_.size() && text_[at_] == '.') ||
           (at_ < text_.size() && text_[at_] == '\'' && is_word(at_ + 1))) {
      const bool has_sign = std::string_view("eEpP").find(text_[at_]) != std::string_view::npos &&
                            at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-');
      at_ += has_sign ? 2 : 1;
    }
  }
  void word() {
    const std::size_t begin = at_;
    while (is_word(at_)) ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    const bool is_raw = word == "R" || word == "uR" || word == "u8R" || word == "UR" || word == "LR";
    // In it lines are not joined, and quotes are none.
    if (is_raw && at_ < text_.size() && text_[at_] == '"') say("a raw text is nothing that kernels need");
  }
  void quoted(char end) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') blank();
      blank();
    }
    if (at_ < text_.size() && text_[at_] == end) ++at_;
  }
  void say(const char* what) {
    if (!unclear_) unclear_ = UnclearPlace{what, line_at(text_, at_)};
  }

  std::string text_;
  std::size_t at_ = 0;
  std::optional<UnclearPlace> unclear_;
};

/// A mark of two or four characters at the line's begin, as what it stands for; else of one.
std::pair<std::string, std::size_t> mark_at(std::string_view line) {
  if (line.starts_with("%:%:")) return {"##", 4};
  // "<::" is "<" and "::", as in vector<::ns::T>.
  const bool in_global =
      line.starts_with("<::") && !line.substr(3).starts_with(':') && !line.substr(3).starts_with('>');
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMarks = {
      {{"::", "::"}, {"##", "##"}, {"<:", "["}, {":>", "]"}, {"<%", "{"}, {"%>", "}"}, {"%:", "#"}}};
  for (const auto& [written, meant] : kMarks)
    if (line.starts_with(written) && !(in_global && written == "<:")) return {std::string(meant), 2};
  return {std::string(line.substr(0, 1)), 1};
}

void add_words(std::string_view line, int number, bool in_directive, std::vector<SourceWord>& words) {
  for (std::size_t i = 0; i < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[i]))) {
      ++i;
      continue;
    }
    std::size_t size = 0;
    while (i + size < line.size() && is_word_character(line[i + size])) ++size;
    std::string text(line.substr(i, size));
    if (size == 0) std::tie(text, size) = mark_at(line.substr(i));
    words.push_back({std::move(text), number, in_directive});
    i += size;
  }
}

}  // namespace

SourceWords words_of(std::string_view text) {
  const std::string joined_lines = with_joined_lines(text);
  const Blanked blanked(joined_lines);
  const std::vector<std::string> lines = lines_of(blanked.text()), written = lines_of(joined_lines);
  SourceWords out;
  out.unclear = blanked.unclear();
  for (std::size_t at = text.find('\r'); !out.unclear && at != std::string_view::npos;
       at = text.find('\r', at + 1))
    if (!text.substr(at + 1).starts_with('\n'))  // g++ begins a line there, an editor may not
      out.unclear = UnclearPlace{"a carriage return stands within a line", line_at(text, at)};
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
    static const std::set<std::string_view> kHaveWords = {"define", "undef",  "if",      "elif",
                                                          "ifdef",  "ifndef", "elifdef", "elifndef"};
    if (kHaveWords.contains(directive.name)) add_words(directive.rest, number, true, out.words);
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
