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
      if (c == '.' && at + 1 < line.size() && is_name(line[at + 1]) && !tokens.empty() &&
          std::isdigit(static_cast<unsigned char>(line[at + 1])) == 0)
        throw BadCharacter{token.column,
                           "a tensor has no methods: sum(h, x), exp(x); its indices have names, so that a "
                           "transpose is their order, output y[h,b]"};
      const auto [rest, error] = std::from_chars(line.data() + at, line.data() + line.size(), token.value);
      stop = static_cast<std::size_t>(rest - line.data());
      if (error != std::errc() || (stop < line.size() && is_name(line[stop])))
        throw BadCharacter{token.column, "this is no number"};
      token.kind = Token::number;
    } else if (is_name(c)) {
      while (stop < line.size() && is_name(line[stop])) ++stop;
      token.kind = Token::name;
    } else if (std::string_view("+-*/()[],=<>!|&").find(c) != std::string_view::npos) {
      token.kind = Token::sign;
      const std::string_view two = line.substr(at, 2);
      if (two == "**" || two == "<=" || two == ">=" || two == "==" || two == "!=") ++stop;
    } else if (c == '@') {
      throw BadCharacter{token.column, "a matrix product is written as a sum: sum(h, x * w)"};
    } else if (c == '^') {
      throw BadCharacter{token.column, "a power is written **: x ** 2"};
    } else if (c == '%') {
      throw BadCharacter{
          token.column,
          "there is no remainder; an index of which it is taken can be declared as two, i and j, of "
          "which the remainder is j"};
    } else if (c == ':') {
      throw BadCharacter{token.column,
                         "a part says where each of its elements lies: x[b, h + 1], x[b, 2 * i]"};
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
