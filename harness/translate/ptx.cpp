#include "ptx.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx_code.h"
#include "ptx_emit.h"
#include "ptx_macros.h"
#include "ptx_table.h"

namespace workbook::sim {
namespace {

/// The operands of an asm statement whose text ends before token `i`, by number: "=r"(x) : "r"(y + 1).
std::vector<AsmOperand> operands(const Tokens& t, std::size_t i, std::size_t close) {
  std::vector<AsmOperand> all;
  for (; i < close; ++i) {
    if (t.is(i, "[")) i = t.closing(i) + 1;  // its own name
    if (t.is_word(i))
      throw PtxProblem(
          "'" + std::string(t.text(i)) +
          "' stands where an operand is expected; if it is a macro, define it in this file, before the "
          "statement, or write its operands out");
    if (t[i].kind != Token::Kind::text || !t.is(i + 1, "(")) continue;
    const std::size_t end = t.closing(i + 1);
    all.push_back({text_of_literals({t.text(i)}), t.joined(i + 2, end)});
    i = end;
  }
  return all;
}

/// Whether an empty statement keeps registers of a GPU in their place, "+f", which the host's compiler takes
/// for others.
bool has_letters_of_ptx(const std::vector<AsmOperand>& given) {
  return std::any_of(given.begin(), given.end(), [](const AsmOperand& one) {
    return std::string_view("fhld").find(one.letter()) != std::string_view::npos;
  });
}

/// One instruction of tensor cores, or one that feeds them, takes the operands as they stand: a copy of each
/// is what such kernels have no time for. Empty for all else.
std::string direct_call(const PtxCode& code, const std::vector<AsmOperand>& given) {
  if (code.instructions.size() != 1 || !code.registers.empty()) return "";
  const PtxInstruction& one = code.instructions.front();
  if (!one.label.empty() || !one.guard.empty() ||
      find_form(one.opcode, one.operands.size()).row->kind != PtxKind::registers)
    return "";
  std::string call = "::workbook::sim::ptx::" + one.opcode + "(";
  std::replace(call.begin(), call.end(), '.', '_');
  bool first = true;
  for (const std::string& whole : one.operands)
    for (std::size_t at = whole.find('$'); at != whole.npos; at = whole.find('$', at + 1)) {
      const auto number = static_cast<std::size_t>(std::atoi(whole.c_str() + at + 1));
      if (number >= given.size()) return "";
      call += (first ? "" : ", ") + given[number].expression;
      first = false;
    }
  return call + ")";
}

std::string refused(const std::string& why) {
  std::string words;
  for (const char c : why) {
    if (c == '"' || c == '\\') words += '\\';
    words += c;
  }
  return "WORKBOOK_SIM_REFUSE(\"inline PTX: " + words + "\")";
}

/// The text and the operands of the statement between `open` and `close` as C++.
std::string translated(const Tokens& t, std::size_t open, std::size_t close,
                       const std::vector<std::string_view>& literals) {
  try {
    const std::size_t after = open + 1 + literals.size();
    if (after != close && !t.is(after, ":") && !t.is(after, "::"))
      return refused("an asm statement whose text macros put together is not simulated");
    const PtxCode code = parse_ptx(text_of_literals(literals));
    const std::vector<AsmOperand> given = operands(t, after, close);
    if (const std::string call = direct_call(code, given); !call.empty()) return call;
    return emit_ptx(code, given);
  } catch (const PtxProblem& problem) {
    return refused(problem.what());
  }
}

}  // namespace

bool is_asm(const Tokens& t, std::size_t i) {
  return t.is(i, "asm") || t.is(i, "__asm__") || t.is(i, "__asm");
}

namespace {

/// What stands in place of the statement between `open` and `close`; nothing: it stays, being none of PTX.
std::optional<std::string> in_place_of(const Tokens& t, std::size_t open, std::size_t close) {
  std::vector<std::string_view> literals, all;  // those at its beginning, and behind macros between them
  for (std::size_t k = open + 1; k < close && !t.is(k, ":") && !t.is(k, "::"); ++k) {
    if (t[k].kind != Token::Kind::text) continue;
    if (k == open + 1 + literals.size()) literals.push_back(t.text(k));
    all.push_back(t.text(k));
  }
  try {
    if (!all.empty() && text_of_literals(all).empty() && has_letters_of_ptx(operands(t, open + 2, close)))
      return "__asm__ volatile(\"\" ::: \"memory\")";
    if (!all.empty() && !is_ptx(text_of_literals(all))) return std::nullopt;
  } catch (const PtxProblem&) {
    return std::nullopt;
  }
  return translated(t, open, close, literals);
}

}  // namespace

void rewrite_asm(const Tokens& t, std::size_t i, Edits& edits) {
  if (i > 0 && t[i - 1].macro == t[i].macro && (t.is_word(i - 1) || t.is(i - 1, "]")) &&
      !t.is(i - 1, "else") && !t.is(i - 1, "do"))
    return;  // names a symbol: int x asm("y");
  std::size_t open = i + 1;
  while (t.is_word(open)) ++open;  // volatile, goto, inline
  if (!t.is(open, "(")) return;
  const std::size_t close = t.closing(open);
  if (close >= t.size()) return;
  bool has_macros = false;
  const std::string written = "(" + with_macros(t, open + 1, close, has_macros) + ")";
  std::optional<std::string> text;
  if (has_macros) {
    const Tokens expanded(written);
    text = in_place_of(expanded, 0, expanded.size() - 1);
  } else {
    text = in_place_of(t, open, close);
  }
  if (!text) return;
  edits.insert(t[i].begin, *text);
  edits.blank(t.source(), t[i].begin, t[close].end);
}

}  // namespace workbook::sim
