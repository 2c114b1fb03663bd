#include "optimizer/language/tokens.h"

#include <cctype>
#include <charconv>

namespace workbook::opt {
namespace {

struct Character {
  std::string_view begins, sentence;
};
constexpr Character kNone[] = {
    {"@", "a matrix product is written as a sum: sum(h, x * w)"},
    {"^", "a power is written **: x ** 2"},
    {";", "a line is one statement, and ends without a sign"},
    {"?", "a choice is where(c, a, b): a where c holds, else b"},
    {"\\", "what a line says ends with it: give a part of it a name, in a line of its own"},
    {"\"", "there are no texts; a comment begins with #"},
    {"'", "there are no texts; a comment begins with #"},
};

/// Before a point stands no number and a name behind it.
std::string point_words(const std::vector<Token>& before) {
  static constexpr std::string_view kModules[] = {"torch", "np", "numpy", "jnp", "jax",
                                                  "F",     "nn", "math",  "wo"};
  if (!before.empty())
    for (const std::string_view module : kModules)
      if (before.back().text == module) return "a function stands by its name alone: exp(x), silu(x)";
  return "a tensor has no methods: sum(h, x), exp(x); its indices have names, so that a transpose is their "
         "order, output y[h,b]";
}

std::string words_of(std::string_view rest, int brackets) {
  for (const Character& each : kNone)
    if (rest.starts_with(each.begins)) return std::string(each.sentence);
  if (rest.front() == ':')
    return rest.starts_with(":=") ? "a line is NAME = EXPRESSION"
           : brackets > 0         ? "a part says where each of its elements lies: x[b, h + 1], x[b, 2 * i]"
                                  : "':' says nothing here: index b = 4, input x[b,h] f16, y = x + 1";
  if (static_cast<unsigned char>(rest.front()) > 126)
    return "only ASCII is read: sum(h, x), x ** 2, a * b, a <= b, -inf";
  return "nothing begins with this character";
}

}  // namespace

std::vector<Token> tokens_of(std::string_view line) {
  std::vector<Token> tokens;
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t at = 0;
  int brackets = 0;
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
        throw BadCharacter{token.column, point_words(tokens)};
      const auto [rest, error] = std::from_chars(line.data() + at, line.data() + line.size(), token.value);
      stop = static_cast<std::size_t>(rest - line.data());
      if (error != std::errc()) throw BadCharacter{token.column, "this is no number"};
      if (line[stop - 1] == '.' && stop < line.size() && line[stop] == '.')
        throw BadCharacter{token.column,
                           "this is no number: the ends of a range are two, as in range x = -1 1"};
      if (stop < line.size() && is_name(line[stop]))
        throw BadCharacter{token.column,
                           "this is no number, such as 1000, 0.5 or 1e-5; a product has its sign: 2 * x"};
      token.kind = Token::number;
    } else if (is_name(c)) {
      while (stop < line.size() && is_name(line[stop])) ++stop;
      token.kind = Token::name;
    } else if (std::string_view("+-*/()[],=<>!~|&%").find(c) != std::string_view::npos) {
      token.kind = Token::sign;
      brackets += c == '[' ? 1 : c == ']' ? -1 : 0;
      const std::string_view two = line.substr(at, 2);
      if (two == "<>") throw BadCharacter{token.column, "what differs is x != z"};
      for (const std::string_view sign : {"**", "//", "<=", ">=", "==", "!=", "&&"})
        if (two == sign) stop = at + 2;
    } else {
      throw BadCharacter{token.column, words_of(line.substr(at), brackets)};
    }
    token.text = line.substr(at, stop - at);
    if (token.text == "&&") token.text = "&";  // as C has it
    at = stop;
    tokens.push_back(token);
  }
  tokens.push_back({Token::end, "", 0.0, static_cast<int>(at) + 1});
  return tokens;
}

}  // namespace workbook::opt
