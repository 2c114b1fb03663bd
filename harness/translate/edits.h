// Replacements in a text, collected in any order and made at once.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

class Edits {
 public:
  /// [begin, end) becomes `text`. Those at one place are made in the order they came; what lies within one
  /// that begins before it is dropped.
  void replace(std::size_t begin, std::size_t end, std::string text) {
    list_.push_back({begin, end, std::move(text)});
  }
  void insert(std::size_t at, std::string text) { replace(at, at, std::move(text)); }

  /// Blanks [begin, end), keeping its line breaks.
  void blank(std::string_view source, std::size_t begin, std::size_t end) {
    std::string text(source.substr(begin, end - begin));
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool continues =
          text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r');
      if (text[i] != '\n' && text[i] != '\r' && !continues) text[i] = ' ';
    }
    replace(begin, end, std::move(text));
  }

  std::string apply(std::string_view source) {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t done = 0;
    for (const Edit& edit : list_) {
      if (edit.begin < done) continue;  // a cast among the operands of inline PTX
      out += source.substr(done, edit.begin - done);
      out += edit.text;
      done = edit.end;
    }
    out += source.substr(done);
    return out;
  }

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Edit> list_;
};

}  // namespace workbook::sim
