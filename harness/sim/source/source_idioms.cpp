#include "source_idioms.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>

#include "runs/pattern.h"

namespace workbook::sim {
namespace {

constexpr int kLongest = 60;       ///< lines of a function that are looked at
constexpr int kMostHeadLines = 3;  ///< of a loop's head

int braces_left(const std::string& line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                          std::count(line.begin(), line.end(), '}'));
}

std::string joined(const std::vector<std::string>& code, int first, int last) {
  std::string text;
  for (int i = std::max(first, 1); i <= last && static_cast<std::size_t>(i) <= code.size(); ++i)
    text += code[static_cast<std::size_t>(i) - 1] + '\n';
  return text;
}

/// Where the function around the line begins: behind the line before it that closes one.
int function_begin(const std::vector<std::string>& code, int line) {
  for (int i = line - 1; i > std::max(0, line - kLongest); --i)
    if (code[static_cast<std::size_t>(i) - 1].starts_with('}')) return i + 1;
  return std::max(1, line - kLongest);
}

/// The arguments of the call whose opening parenthesis stands at `open`; none where it does not end.
std::vector<std::string> arguments_at(const std::string& text, std::size_t open) {
  std::vector<std::string> all{""};
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth == 0) return all;
    if (c == ',' && depth == 1)
      all.emplace_back();
    else if (i > open)
      all.back() += c;
  }
  return {};
}

std::vector<std::string> names_in(const std::string& text) {
  static const runs::Pattern name("[A-Za-z_]\\w*");
  std::vector<std::string> names;
  for (const auto& found : name.all(text)) names.push_back(found[0]);
  return names;
}

/// What is declared as float or double, or as a pointer to one.
std::set<std::string> floats_in(const std::string& text) {
  static const runs::Pattern declaration(
      "\\b(?:float|double)\\s*(?:const\\s*)?[*&]?\\s*(?:(?:const|__restrict__|__restrict)\\s+)?([A-Za-z_]\\w*)\\s*[^\\w(\\s>]");
  std::set<std::string> names;
  for (const auto& found : declaration.all(text)) names.insert(found[1]);
  return names;
}

bool names_one_of(const std::string& text, const std::set<std::string>& names) {
  const std::vector<std::string> all = names_in(text);
  return std::any_of(all.begin(), all.end(), [&](const std::string& n) { return names.contains(n); });
}

}  // namespace

std::string converted_in_compare(const std::vector<std::string>& code, int line) {
  if (line <= 0 || static_cast<std::size_t>(line) > code.size()) return "";
  const std::string statement = joined(code, line, line + 3);
  const std::size_t name = statement.find("atomicCAS");
  const std::size_t open = name == std::string::npos ? name : statement.find('(', name);
  if (open == std::string::npos) return "";
  const std::vector<std::string> arguments = arguments_at(statement, open);
  if (arguments.size() != 3) return "";
  const std::string& value = arguments[2];
  for (const std::string_view bits : {"_as_", "bit_cast", "reinterpret", "*(", "* ("})
    if (value.find(bits) != std::string::npos) return "";
  const std::string before = joined(code, function_begin(code, line), line);
  const std::set<std::string> floats = floats_in(before);
  bool of_floats = names_one_of(arguments[0], floats);
  for (const std::string& pointer : names_in(arguments[0])) {
    const runs::Pattern made("\\b" + pointer +
                             "\\s*=([^;]*\\bint\\b[^;]*|[^;]*\\blong\\b[^;]*|[^;]*\\bunsigned\\b[^;]*);");
    const auto found = made.search(before);
    of_floats = of_floats || (found && names_one_of((*found)[1], floats));
  }
  if (!of_floats) return "";
  for (const std::string& one : names_in(value))
    if (floats.contains(one)) return one;
  return "";
}

std::string ordered_by_bits(const std::vector<std::string>& code, int line) {
  if (line <= 0 || static_cast<std::size_t>(line) > code.size()) return "";
  static const runs::Pattern call("\\b(atomicMin|atomicMax)\\s*\\(");
  const std::string statement = joined(code, line, line + 2);
  for (const auto& at : call.all(statement)) {
    const std::vector<std::string> arguments = arguments_at(statement, at.end - 1);
    if (arguments.size() != 2) continue;
    static const runs::Pattern bits(
        "^\\s*(__float_as_int\\s*\\(|\\*\\s*\\(\\s*(signed\\s+)?int\\s*\\*\\s*\\)\\s*&)");
    if (bits.search(arguments[1])) return at[1];
  }
  return "";
}

HalvingLoop halving_loop(const std::vector<std::string>& code, int line) {
  static const runs::Pattern loop(
      "for\\s*\\([^;]*\\b(\\w+)\\s*=\\s*blockDim\\.x\\s*(?:/\\s*2|>>\\s*1)\\s*;[^;]*>\\s*0\\s*;[^)]*(?:/=\\s*2|>>=\\s*1)\\s*\\)");
  int depth = 0;
  bool begun = false;
  for (int i = line; i < line + kLongest && static_cast<std::size_t>(i) <= code.size(); ++i) {
    const std::string& here = code[static_cast<std::size_t>(i) - 1];
    std::optional<runs::Pattern::Match> found;
    // The loop's head may stand in several lines; it ends in `head`.
    int head = i;
    std::string text = here;
    const auto matches = [&] {
      found = loop.search(text);
      return found && found->begin < here.size();
    };
    bool is_loop = matches();
    while (!is_loop && head < i + kMostHeadLines - 1 && here.find("for") != std::string::npos) {
      text = joined(code, i, ++head);
      is_loop = matches();
    }
    if (is_loop) {
      const std::string distance = (*found)[1];
      int last = head, open = 0;
      for (int k = i; k <= head && static_cast<std::size_t>(k) <= code.size(); ++k)
        open += braces_left(code[static_cast<std::size_t>(k) - 1]);
      const bool braced = open > 0;
      for (; open > 0 && static_cast<std::size_t>(last) < code.size(); ++last)
        open += braces_left(code[static_cast<std::size_t>(last)]);
      const std::string body = joined(code, i, std::max(last, head + 1)).substr(found->end);
      const runs::Pattern guard("if\\s*\\(\\s*[\\w.]+\\s*<\\s*" + distance + "\\s*\\)"),
          adds("\\+\\s*" + distance + "\\s*\\]");
      const bool minds = body.find('%') != std::string::npos || body.find("& 1") != std::string::npos ||
                         body.find("else") != std::string::npos;
      if (!minds && guard.search(body) && adds.search(body)) return {i, braced ? last : head + 1};
    }
    depth += braces_left(here);
    begun = begun || here.find('{') != std::string::npos;
    if (begun && depth <= 0) break;
  }
  return {};
}

int lock_without_order(const std::vector<std::string>& code, int line) {
  const auto holds = [](const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
  };
  const int begin = function_begin(code, line);
  int end = line;
  while (static_cast<std::size_t>(end) < code.size() && end < line + kLongest &&
         !code[static_cast<std::size_t>(end) - 1].starts_with('}'))
    ++end;
  const std::string behind = joined(code, line + 1, end);
  if (holds(joined(code, begin, end),
            {"fence", "acquire", "release", "acq_rel", "seq_cst", "__syncthreads", ".sync("}) ||
      !holds(behind, {"atomicExch", "atomicCAS", "atomicAdd", ".store(", ".exchange(", "->store(", "= 0;"}))
    return 0;
  for (int i = line - 1; i >= begin && static_cast<std::size_t>(i) <= code.size(); --i) {
    const std::string& text = code[static_cast<std::size_t>(i) - 1];
    if (holds(text, {"while"}) &&
        holds(text, {"atomicCAS", "atomicExch", "load(", "exchange", "test_and_set"}))
      return i;
  }
  return 0;
}

int block_fence_behind(const std::vector<std::string>& code, int line) {
  constexpr int kNear = 12;
  for (int i = line; static_cast<std::size_t>(i) < code.size() && i < line + kNear; ++i) {
    const std::string& text = code[static_cast<std::size_t>(i)];
    if (text.starts_with('}') || text.find("__threadfence()") != std::string::npos) return 0;
    if (text.find("__threadfence_block(") != std::string::npos) return i + 1;
  }
  return 0;
}

bool in_one_function(const std::vector<std::string>& code, int a, int b) {
  const auto [first, last] = std::minmax(a, b);
  if (first < 1 || static_cast<std::size_t>(last) > code.size()) return false;
  return std::none_of(code.begin() + first, code.begin() + last, [](const std::string& line) {
    return line.starts_with('}') || line.find("__device__") != line.npos ||
           line.find("__global__") != line.npos;
  });
}

bool decides_by(const std::vector<std::string>& code, int a, int b) {
  const auto [condition, store] = std::minmax(a, b);
  constexpr int kNear = 4;
  if (condition < 1 || store == condition || store - condition > kNear ||
      static_cast<std::size_t>(store) > code.size())
    return false;
  static const runs::Pattern assignment(R"(^\s*([\w.\[\]+* ()>-]*\][\w.]*)\s*=[^=])"),
      question(R"(\bif\s*\()");
  const std::string &asks = code[static_cast<std::size_t>(condition) - 1],
                    &stores = code[static_cast<std::size_t>(store) - 1];
  const auto found = assignment.search(stores);
  return found && question.search(asks) && asks.find((*found)[1]) != std::string::npos &&
         braces_left(joined(code, condition, store - 1)) >= 0;
}

std::vector<KernelParameter> written_parameters(const std::vector<std::string>& code, int line,
                                                const std::string& kernel) {
  constexpr int kBefore = 8, kBehind = 12;
  const std::string text = joined(code, line - kBefore, line + kBehind);
  const std::string plain = kernel.substr(0, kernel.find('<'));
  const std::string word = plain.substr(plain.rfind(':') == plain.npos ? 0 : plain.rfind(':') + 1);
  const runs::Pattern head("__global__[^;{}]*\\b" + word + "\\s*\\(");
  const auto found = head.search(text);
  std::vector<KernelParameter> all;
  if (word.empty() || !found) return all;
  static const runs::Pattern pointer(R"(\bconst\b[^*]*\*[^*]*__restrict(__)?\s*\w+\s*$)"),
      name(R"((\w+)\s*$)");
  for (const std::string& one : arguments_at(text, found->end - 1)) {
    const auto last = name.search(one);
    all.push_back({last ? (*last)[1] : "", pointer.search(one).has_value()});
  }
  return all;
}

unsigned int odd_when_halved(unsigned int threads) {
  while (threads > 1 && threads % 2 == 0) threads /= 2;
  return threads > 1 ? threads : 0;
}

}  // namespace workbook::sim
