#include "rewrite.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <vector>

namespace workbook::sim {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// For every character of `s`, whether it is code: not in a comment, string or character literal.
std::vector<bool> code_mask(std::string_view s) {
  std::vector<bool> code(s.size(), true);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, s.size()); ++i) code[i] = false;
    return to;
  };
  std::size_t i = 0;
  while (i < s.size()) {
    if (s.compare(i, 2, "//") == 0) {
      std::size_t end = i;
      while (end < s.size() && (s[end] != '\n' || s[end - 1] == '\\')) ++end;
      i = blank(i, end);
    } else if (s.compare(i, 2, "/*") == 0) {
      const auto end = s.find("*/", i + 2);
      i = blank(i, end == std::string_view::npos ? s.size() : end + 2);
    } else if (s.compare(i, 2, "R\"") == 0 && (i == 0 || !is_word(s[i - 1]))) {
      const auto open = s.find('(', i);
      const std::string close = ")" + std::string(s.substr(i + 2, open - i - 2)) + "\"";
      const auto end = s.find(close, open);
      i = blank(i, end == std::string_view::npos ? s.size() : end + close.size());
    } else if (s[i] == '"' || (s[i] == '\'' && (i == 0 || !is_word(s[i - 1])))) {
      std::size_t end = i + 1;
      while (end < s.size() && s[end] != s[i]) end += s[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      ++i;
    }
  }
  return code;
}

int line_of(std::string_view s, std::size_t at) {
  return 1 + static_cast<int>(std::count(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Start of the kernel expression that ends before `end`: name, qualified name, template-id or parenthesis.
std::size_t kernel_start(std::string_view s, std::size_t end) {
  std::size_t i = end;
  const auto skip_space = [&] {
    while (i > 0 && std::isspace(static_cast<unsigned char>(s[i - 1]))) --i;
  };
  skip_space();
  if (i > 0 && (s[i - 1] == '>' || s[i - 1] == ')')) {
    const char close = s[i - 1], open = close == '>' ? '<' : '(';
    int depth = 0;
    do {
      --i;
      depth += s[i] == close ? 1 : s[i] == open ? -1 : 0;
    } while (i > 0 && depth > 0);
    if (close == ')') return i;
    skip_space();
  }
  while (i > 0 && (is_word(s[i - 1]) || s[i - 1] == ':' || s[i - 1] == '.')) --i;
  return i;
}

/// Names of kernel templates: `template <...> ... __global__ ... name(`.
std::set<std::string, std::less<>> kernel_templates(std::string_view s, const std::vector<bool>& code) {
  std::set<std::string, std::less<>> names;
  for (auto at = s.find("__global__"); at != std::string_view::npos; at = s.find("__global__", at + 1)) {
    if (!code[at]) continue;
    const auto before = s.find_last_of(";}", at);
    const auto start = before == std::string_view::npos ? 0 : before;
    const auto keyword = s.substr(start, at - start).find("template");
    if (keyword == std::string_view::npos || !code[start + keyword]) continue;
    auto paren = s.find('(', at);
    if (s.substr(at, paren - at).find("__launch_bounds__") != std::string_view::npos)
      paren = s.find('(', s.find(')', paren));
    auto end = paren;
    while (end > at && !is_word(s[end - 1])) --end;
    auto begin = end;
    while (begin > at && is_word(s[begin - 1])) --begin;
    names.insert(std::string(s.substr(begin, end - begin)));
  }
  return names;
}

}  // namespace

std::string rewrite_launches(std::string_view source) {
  const std::vector<bool> code = code_mask(source);
  const auto templates = kernel_templates(source, code);
  std::string out;
  std::size_t done = 0;
  for (auto open = source.find("<<<"); open != std::string_view::npos; open = source.find("<<<", open + 3)) {
    if (!code[open]) continue;
    auto close = open + 3;
    int depth = 0;
    for (; close < source.size(); ++close) {
      if (!code[close]) continue;
      const char c = source[close];
      if (c == '(' || c == '{' || c == '[') ++depth;
      if (c == ')' || c == '}' || c == ']') --depth;
      if (depth == 0 && source.compare(close, 3, ">>>") == 0) break;
      if (depth < 0 || c == ';') close = source.size();
    }
    if (close >= source.size())
      throw std::runtime_error("line " + std::to_string(line_of(source, open)) +
                               ": this '<<<' has no matching '>>>' before the statement ends");
    const std::size_t start = kernel_start(source, open);
    if (start == open)
      throw std::runtime_error("line " + std::to_string(line_of(source, open)) +
                               ": there is no kernel name before '<<<'");
    const std::string_view kernel = source.substr(start, open - start);
    const auto last = kernel.find_last_not_of(" \t\n");
    const std::string name(kernel.substr(0, last + 1));
    std::string label;
    for (const char c : name) label += c == '\n' ? ' ' : c == '"' ? '\'' : c;
    out += source.substr(done, start - done);
    const std::string config(source.substr(open + 3, close - open - 3));
    const bool deduced = templates.count(name) > 0;
    out += deduced ? "::workbook::sim::launch_deduced(\"" : "::workbook::sim::launch(\"";
    out += label + "\", ::workbook::sim::LaunchConfig(" + config + "), ";
    out += deduced ? "[](auto... workbook_arguments) { " + name + "(workbook_arguments...); }" : name;
    out += ")";
    done = close + 3;
    open = close;
  }
  out += source.substr(done);
  return out;
}

}  // namespace workbook::sim
