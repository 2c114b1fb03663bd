#include "ptx_code.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace workbook::sim {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }
bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string without_space(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!is_space(c)) out += c;
  return out;
}

/// One literal's characters; raw ones (R"x(...)x") as they stand.
std::string text_of(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote == literal.npos || literal.size() < quote + 2) throw PtxProblem("its text cannot be read");
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('('), close = literal.rfind(')');
    if (open == literal.npos || close == literal.npos || close < open)
      throw PtxProblem("its text cannot be read");
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string out;
  const std::string_view body = literal.substr(quote + 1, literal.size() - quote - 2);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 == body.size()) {
      out += body[i];
      continue;
    }
    const char c = body[++i];
    if (c == 'n' || c == 'r')
      out += '\n';
    else if (c == 't')
      out += '\t';
    else if (c != '\n' && c != '\r')  // a line that goes on
      out += c;
  }
  return out;
}

/// "%%" as PTX has it, "%3" as "$3", comments gone.
std::string normalised(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
      out += '\n';
    } else if (text.compare(i, 2, "/*") == 0) {
      i = std::min(text.find("*/", i + 2), text.size() - 1) + 1;
      out += ' ';
    } else if (text.compare(i, 2, "%%") == 0) {
      out += '%';
      ++i;
    } else if (text[i] == '%' && i + 1 < text.size() && is_decimal(text[i + 1])) {
      out += '$';
    } else {
      out += text[i];
    }
  }
  return out;
}

/// ".reg .u32 a, b<4>": what stands behind ".reg".
void declare(std::string_view text, PtxCode& code) {
  std::string rest = trimmed(text);
  if (rest.empty() || rest[0] != '.') throw PtxProblem("a .reg without a type");
  const std::size_t end = rest.find_first_of(" \t\n");
  if (end == rest.npos) throw PtxProblem("a .reg without a name");
  const std::string type = rest.substr(1, end - 1);
  for (const std::string& name : split_operands(rest.substr(end))) {
    const std::size_t angle = name.find('<');
    if (angle == name.npos) {
      code.registers.push_back({type, name});
      continue;
    }
    const int count = std::atoi(name.c_str() + angle + 1);  // p<3> stands for p0, p1, p2
    for (int i = 0; i < count; ++i)
      code.registers.push_back({type, name.substr(0, angle) + std::to_string(i)});
  }
}

PtxInstruction instruction(std::string_view text) {
  PtxInstruction out;
  std::string rest = trimmed(text);
  if (rest[0] == '@') {
    const std::size_t end = std::min(rest.find_first_of(" \t\n"), rest.size());
    out.if_false = rest.size() > 1 && rest[1] == '!';
    out.guard = rest.substr(out.if_false ? 2 : 1, end - (out.if_false ? 2 : 1));
    rest = trimmed(rest.substr(end));
  }
  const std::size_t end = std::min(rest.find_first_of(" \t\n[{"), rest.size());
  out.opcode = rest.substr(0, end);
  if (out.opcode.empty()) throw PtxProblem("an instruction without a name");
  if (const std::string operands = trimmed(rest.substr(end)); !operands.empty())
    out.operands = split_operands(operands);
  return out;
}

/// A statement without its ';'.
void statement(std::string_view text, PtxCode& code) {
  if (text.starts_with(".reg") && text.size() > 4 && is_space(text[4])) return declare(text.substr(4), code);
  if (text[0] == '.') {
    const std::string directive(text.substr(0, std::min(text.find_first_of(" \t\n"), text.size())));
    if (directive != ".pragma") throw PtxProblem("the directive '" + directive + "' is not simulated");
    return;
  }
  code.instructions.push_back(instruction(text));
}

}  // namespace

std::string text_of_literals(const std::vector<std::string_view>& literals) {
  std::string out;
  for (const std::string_view literal : literals) out += text_of(literal);
  return out;
}

bool is_ptx(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != '.' || !std::isalpha(static_cast<unsigned char>(text[i + 1]))) continue;
    std::size_t begin = i;
    while (begin > 0 && std::isalnum(static_cast<unsigned char>(text[begin - 1]))) --begin;
    if (begin < i && std::isalpha(static_cast<unsigned char>(text[begin]))) return true;
  }
  const std::string first = trimmed(text.substr(0, text.find(';')));
  return first == "trap" || first == "exit" || first == "brkpt" || first == "ret";
}

PtxCode parse_ptx(const std::string& given) {
  const std::string text = normalised(given);
  PtxCode code;
  std::size_t i = 0;
  while (i < text.size()) {
    if (is_space(text[i]) || text[i] == '{' || text[i] == '}' ||
        text[i] == ';') {  // scopes hold no name twice
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_name_char(text[end])) ++end;
    std::size_t colon = end;
    while (colon < text.size() && is_space(text[colon])) ++colon;
    if (end > i && colon < text.size() && text[colon] == ':' && text.compare(colon, 2, "::") != 0) {
      code.instructions.emplace_back().label = text.substr(i, end - i);
      i = colon + 1;
      continue;
    }
    int depth = 0;
    for (end = i; end < text.size() && text[end] != ';'; ++end) {
      if (text[end] == '{' || text[end] == '[') ++depth;
      if ((text[end] == '}' || text[end] == ']') && --depth < 0) break;  // the last one of a scope
    }
    if (const std::string whole = trimmed(text.substr(i, end - i)); !whole.empty()) statement(whole, code);
    i = end + 1;
  }
  return code;
}

std::vector<std::string> opcode_words(std::string_view opcode) {
  std::vector<std::string> words(1);
  for (const char c : opcode) {
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '{' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == '}' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    out.push_back(without_space(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

}  // namespace workbook::sim
