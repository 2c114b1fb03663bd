// Inline PTX, read: the text of an asm statement cut into declarations, labels and instructions. What the
// instructions are stands in ptx_table.h, what becomes of them in ptx_emit.h.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::sim {

/// What is wrong with PTX, or not simulated: said to whoever wrote it, at the line of the asm statement.
struct PtxProblem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PtxInstruction {
  std::string guard;      ///< the predicate behind '@', or empty
  bool if_false = false;  ///< @!p
  std::string opcode;     ///< "mad.lo.s32"
  /// As written, without space: "$0" (the asm statement's first operand), "r1", "%laneid", "{a,b}", "[$1+8]",
  /// "p|q", "!p", "-3".
  std::vector<std::string> operands;
  std::string label;  ///< no instruction: the label that stands here
};

struct PtxRegister {
  std::string type;  ///< "u32", "pred"
  std::string name;
};

struct PtxCode {
  std::vector<PtxRegister> registers;  ///< of its own, of all scopes
  std::vector<PtxInstruction> instructions;
};

/// The text of string literals that stand behind each other, as the compiler reads it. Throws PtxProblem for
/// one that is not closed.
std::string text_of_literals(const std::vector<std::string_view>& literals);

/// Whether it is PTX, and not an instruction of the host's processor or an empty compiler barrier.
bool is_ptx(std::string_view text);

/// Throws PtxProblem.
PtxCode parse_ptx(const std::string& text);

constexpr bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// "mul.wide.s32" as mul, wide, s32; "shared::cta" is one word.
std::vector<std::string> opcode_words(std::string_view opcode);

/// "a,{b,c},[d+4]" at its outer commas.
std::vector<std::string> split_operands(std::string_view text);

}  // namespace workbook::sim
