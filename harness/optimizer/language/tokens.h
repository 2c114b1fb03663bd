// The words of one line of program text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::opt {

struct Token {
  enum Kind { name, number, sign, end } kind = end;
  std::string text;
  double value = 0.0;
  int column = 1;  ///< from 1
};

/// Up to a comment; the last token is an `end`. A character that begins no token throws the pair of its
/// column and a sentence.
struct BadCharacter {
  int column;
  std::string sentence;
};
std::vector<Token> tokens_of(std::string_view line);

}  // namespace workbook::opt
