#include "optimizer/language/names.h"

#include <algorithm>
#include <cctype>

#include "optimizer/language/tokens.h"

namespace workbook::opt {

std::string identifier(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "_" + name : name;
}

std::vector<std::pair<std::string, std::int64_t>> real_extents(std::string_view text) {
  std::vector<std::pair<std::string, std::int64_t>> extents;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::vector<Token> tokens;
    try {
      tokens = tokens_of(text.substr(0, end));
    } catch (const BadCharacter&) {
      return extents;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
    if (tokens.front().text != "index" || (tokens.size() > 1 && tokens[1].text == "=")) continue;
    for (const Token& token : tokens) {  // name = teaching real, name = both
      if (&token == &tokens.front()) continue;
      if (token.kind == Token::name) extents.emplace_back(token.text, 0);
      if (token.kind == Token::number && !extents.empty())
        extents.back().second = static_cast<std::int64_t>(token.value);
    }
  }
  return extents;
}

}  // namespace workbook::opt
