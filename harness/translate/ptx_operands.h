// The operands of inline PTX as C++: registers, constants, addresses and the asm statement's own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx_code.h"

namespace workbook::sim {

/// Where the functions of ptx_table.cpp are.
inline constexpr const char* kSpace = "::workbook::sim::ptx::";
inline std::string ptx_type(const std::string& name) { return kSpace + name; }
/// "L1" as a label or register of C++ that no program has.
std::string mangled(const std::string& name);

/// What an asm statement says of one of its operands: "+r"(x).
struct AsmOperand {
  std::string constraint;  ///< "+r"
  std::string expression;
  bool is_output() const { return constraint.find_first_of("=+") != std::string::npos; }
  char letter() const;  ///< 'r'
};

class PtxOperands {
 public:
  /// `as_they_stand`: operands, by number, that are no copies.
  PtxOperands(const PtxCode& code, const std::vector<AsmOperand>& operands,
              std::set<std::size_t> as_they_stand);

 protected:
  /// Variables for the asm statement's operands and for the code's own registers.
  std::string declarations() const;
  /// What gives outputs back when all is done.
  std::string results() const;

  bool is_declared(const std::string& name) const { return registers_.count(name) != 0; }
  /// The variable that a register is, empty for what is none.
  std::string variable(const std::string& name) const;
  /// A constant: digits, or an operand that the compiler knows ("n"); empty for what is none.
  std::string constant(const std::string& name) const;
  /// The value of an operand as `type`.
  std::string source(const std::string& type, const std::string& name) const;
  /// Where a result goes: a call's beginning, which ")" ends.
  std::string result(const std::string& name) const;
  /// "[reg+8]" as a pointer.
  std::string address(const std::string& name, bool shared) const;

  /// Of the statement's operands that are results alone, those that an instruction has read before any other
  /// was to write them.
  const std::set<std::size_t>& read_too_early() const { return read_too_early_; }
  /// What follows runs after what came before.
  void end_instruction() const { written_.insert(named_.begin(), named_.end()); }

  std::string opcode_;  ///< of the instruction at hand, for messages

 private:
  std::string operand_variable(std::size_t i) const;
  /// The operand that is a result, of that name; none: operands_.size().
  std::size_t output(const std::string& name) const;

  const std::vector<AsmOperand>& operands_;
  std::set<std::size_t> as_they_stand_;
  std::map<std::string, std::string> registers_;
  mutable std::set<std::size_t> named_, written_, read_too_early_;
};

}  // namespace workbook::sim
