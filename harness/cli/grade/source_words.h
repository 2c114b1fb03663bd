// Words, marks and directives of a submission as the compiler sees them: a line that is continued is one, and
// nothing in comments or texts counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct SourceWord {
  std::string text;  ///< a word or number, "::", "##", or one character; digraphs as what they stand for
  int line = 0;      ///< from 1
  bool in_directive = false;
};

struct SourceDirective {
  std::string name;  ///< "include"; empty: a number, or nothing
  std::string rest;  ///< behind it, without comments
  int line = 0;
};

/// What two readers could take for different things.
struct UnclearPlace {
  std::string what;
  int line = 0;
};

struct SourceWords {
  std::vector<SourceWord> words;  ///< of code, of macros' bodies and of conditions
  std::vector<SourceDirective> directives;
  std::optional<UnclearPlace> unclear;  ///< the first of them, a raw text before a carriage return
};

SourceWords words_of(std::string_view text);

}  // namespace workbook::cli
