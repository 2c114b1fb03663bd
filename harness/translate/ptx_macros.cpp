#include "ptx_macros.h"

#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace workbook::sim {
namespace {

constexpr int kDeepest = 16;

bool continues_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Definition {
  bool takes_arguments = false;
  std::vector<std::string> parameters;
  std::string body;
};

/// The definition of `name` that stands last before `before`. Nothing where there is none, or where it makes
/// words of its parts.
std::optional<Definition> definition(std::string_view source, std::string_view name, std::size_t before) {
  const std::string_view text = source.substr(0, before);
  for (std::size_t at = text.rfind("define"); at != text.npos && at > 0; at = text.rfind("define", at - 1)) {
    const std::size_t mark = text.find_last_not_of(" \t", at - 1);
    if (mark == text.npos || text[mark] != '#') continue;
    std::size_t k = text.find_first_not_of(" \t", at + 6);
    if (k == text.npos || !text.substr(k).starts_with(name)) continue;
    k += name.size();
    if (k < text.size() && continues_word(text[k])) continue;
    Definition out;
    if (k < text.size() && text[k] == '(') {
      out.takes_arguments = true;
      const std::size_t close = text.find(')', k);
      if (close == text.npos) return std::nullopt;
      const Tokens list(text.substr(k + 1, close - k - 1));
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list.is_word(i)) out.parameters.emplace_back(list.text(i));
      k = close + 1;
    }
    for (; k < text.size() && text[k] != '\n'; ++k)
      if (text[k] == '\\' && text.substr(k + 1).starts_with('\n'))
        out.body += ' ', ++k;
      else
        out.body += text[k];
    if (out.body.find('#') != out.body.npos) return std::nullopt;
    return out;
  }
  return std::nullopt;
}

/// The arguments between the parentheses at `open` and `close`.
std::vector<std::string> arguments(const Tokens& t, std::size_t open, std::size_t close) {
  std::vector<std::string> out;
  std::size_t begin = open + 1;
  for (std::size_t k = begin; k < close; ++k)
    if (t.is_one_of(k, {"(", "[", "{"})) {
      k = t.closing(k);
    } else if (t.is(k, ",")) {
      out.push_back(t.joined(begin, k));
      begin = k + 1;
    }
  out.push_back(t.joined(begin, close));
  return out;
}

std::string with_arguments(const Definition& macro, const std::vector<std::string>& given) {
  const Tokens body(macro.body);
  std::string out;
  for (std::size_t i = 0; i < body.size(); ++i) {
    std::string word(body.text(i));
    for (std::size_t p = 0; p < macro.parameters.size() && p < given.size(); ++p)
      if (body.is_word(i) && word == macro.parameters[p]) {
        word = given[p];
        break;
      }
    out += word + " ";
  }
  return out;
}

std::string expanded(std::string_view source, std::size_t before, const Tokens& t, std::size_t begin,
                     std::size_t end, int depth, bool& found) {
  std::string out;
  for (std::size_t k = begin; k < end; ++k) {
    if (t.is_one_of(k, {"(", "["}) && t.closing(k) < end) {
      out += t.joined(k, t.closing(k) + 1) + " ";
      k = t.closing(k);
      continue;
    }
    const auto macro =
        t.is_word(k) && depth < kDeepest ? definition(source, t.text(k), before) : std::nullopt;
    const bool called = t.is(k + 1, "(") && t.closing(k + 1) < end;
    if (!macro || (macro->takes_arguments && !called)) {
      out += std::string(t.text(k)) + " ";
      continue;
    }
    found = true;
    std::string text = macro->body;
    if (macro->takes_arguments) {
      text = with_arguments(*macro, arguments(t, k + 1, t.closing(k + 1)));
      k = t.closing(k + 1);
    }
    const Tokens inner(text);
    out += expanded(source, before, inner, 0, inner.size(), depth + 1, found);
  }
  return out;
}

}  // namespace

std::string with_macros(const Tokens& t, std::size_t begin, std::size_t end, bool& found) {
  found = false;
  return expanded(t.source(), t[begin].begin, t, begin, end, 0, found);
}

}  // namespace workbook::sim
