#include "ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {
namespace {

/// The functions of sim/include/workbook_sim/ptx.h, as the instructions that they are.
constexpr std::string_view kInstructions[] = {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                              "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                                              "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                                              "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
                                              "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
                                              "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                              "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                              "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                                              "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
                                              "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
                                              "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
                                              "cvt.rna.tf32.f32"};

constexpr std::size_t kMostShown = 60;  ///< of PTX in a message

/// The text of a string literal on one line, without quotes and without space and brackets around it.
std::string plain(std::string_view literal) {
  std::string out;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 1 < literal.size()) {
      ++i;
      if (literal[i] == 'n' || literal[i] == 't') out += ' ';
    } else if (literal[i] != '"' && literal[i] != '\n') {
      out += literal[i];
    }
  }
  const std::size_t first = out.find_first_not_of(" {"), last = out.find_last_not_of(" ;");
  return first == std::string::npos || last < first ? "" : out.substr(first, last - first + 1);
}

/// Whether it is PTX, and not an instruction of the host or an empty compiler barrier: "mov.u32", "%%laneid".
bool is_ptx(std::string_view code) {
  for (std::size_t i = 1; i + 1 < code.size(); ++i)
    if (code[i] == '.' && std::isalpha(static_cast<unsigned char>(code[i - 1])) &&
        std::isalpha(static_cast<unsigned char>(code[i + 1])))
      return true;
  return code.find("%%") != std::string_view::npos || code.starts_with("trap") || code.starts_with("exit") ||
         code.starts_with("brkpt");
}

/// The operands of an asm statement whose text ends before token `i`, by number: "=r"(x) : "r"(y + 1).
std::vector<std::string> operands(const Tokens& t, std::size_t i, std::size_t close) {
  std::vector<std::string> all;
  for (; i < close; ++i) {
    if (t[i].kind != Token::Kind::text || !t.is(i + 1, "(")) continue;
    const std::size_t end = t.closing(i + 1);
    all.push_back(t.joined(i + 2, end));
    i = end;
  }
  return all;
}

/// The call that stands for the instruction, or nothing: its operands are those that the text names, in that
/// order.
std::string call_of(std::string_view code, const std::vector<std::string>& operands) {
  const std::size_t end = std::min(code.find(' '), code.size());
  const std::string_view name = code.substr(0, end);
  if (std::find(std::begin(kInstructions), std::end(kInstructions), name) == std::end(kInstructions) ||
      code.find(';') != code.npos)
    return "";
  std::string call = "::workbook::sim::ptx::" + std::string(name) + "(";
  std::replace(call.begin(), call.end(), '.', '_');
  bool first = true;
  for (std::size_t at = code.find('%', end); at != code.npos; at = code.find('%', at + 1)) {
    const std::size_t number = std::strtoul(std::string(code.substr(at + 1)).c_str(), nullptr, 10);
    if (number >= operands.size()) return "";
    call += (first ? "" : ", ") + operands[number];
    first = false;
  }
  return call + ")";
}

}  // namespace

bool is_asm(const Tokens& t, std::size_t i) {
  return t.is(i, "asm") || t.is(i, "__asm__") || t.is(i, "__asm");
}

void rewrite_asm(const Tokens& t, std::size_t i, Edits& edits) {
  if (i > 0 && t[i - 1].macro == t[i].macro && (t.is_word(i - 1) || t.is(i - 1, "]")) &&
      !t.is(i - 1, "else") && !t.is(i - 1, "do"))
    return;  // names a symbol: int x asm("y");
  std::size_t open = i + 1;
  while (t.is_word(open)) ++open;  // volatile, goto, inline
  if (!t.is(open, "(")) return;
  const std::size_t close = t.closing(open);
  if (close >= t.size()) return;
  std::string text;
  std::size_t after = open + 1;
  for (; t[after].kind == Token::Kind::text; ++after) text += t.text(after);
  const std::string code = plain(text);
  if (after > open + 1 && !is_ptx(code)) return;
  const std::string call = call_of(code, operands(t, after, close));
  edits.insert(t[i].begin, !call.empty() ? call
                                         : "WORKBOOK_SIM_REFUSE(\"inline PTX is not simulated: " +
                                               code.substr(0, std::min(code.size(), kMostShown)) + "\")");
  edits.blank(t.source(), t[i].begin, t[close].end);
}

}  // namespace workbook::sim
