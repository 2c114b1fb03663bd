#include "optimizer/language/tokens.h"

#include <cctype>
#include <charconv>

namespace workbook::opt {

std::vector<Token> tokens_of(std::string_view line) {
  std::vector<Token> tokens;
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t at = 0;
  while (at < line.size() && line[at] != '#') {
    const char c = line[at];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    Token token;
    token.column = static_cast<int>(at) + 1;
    std::size_t stop = at + 1;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      const auto [rest, error] = std::from_chars(line.data() + at, line.data() + line.size(), token.value);
      stop = static_cast<std::size_t>(rest - line.data());
      if (error != std::errc() || (stop < line.size() && is_name(line[stop])))
        throw BadCharacter{token.column, "this is no number"};
      token.kind = Token::number;
    } else if (is_name(c)) {
      while (stop < line.size() && is_name(line[stop])) ++stop;
      token.kind = Token::name;
    } else if (std::string_view("+-*/()[],=<>!").find(c) != std::string_view::npos) {
      token.kind = Token::sign;
      const std::string_view two = line.substr(at, 2);
      if (two == "**" || two == "<=" || two == ">=" || two == "==" || two == "!=") ++stop;
    } else if (c == '@') {
      throw BadCharacter{token.column, "a matrix product is written as a sum: sum(h, x * w)"};
    } else {
      throw BadCharacter{token.column, "nothing begins with this character"};
    }
    token.text = line.substr(at, stop - at);
    at = stop;
    tokens.push_back(token);
  }
  tokens.push_back({Token::end, "", 0.0, static_cast<int>(at) + 1});
  return tokens;
}

}  // namespace workbook::opt
