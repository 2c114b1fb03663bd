// PTX that was read (ptx_code.h) as C++: a block with its registers as variables, in which each instruction
// is a call of its function in sim/include/workbook_sim/ptx_functions.h.
#pragma once

#include <string>
#include <vector>

#include "ptx_code.h"

namespace workbook::sim {

/// What an asm statement says of one of its operands: "+r"(x).
struct AsmOperand {
  std::string constraint;  ///< "+r"
  std::string expression;
  bool is_output() const { return constraint.find_first_of("=+") != std::string::npos; }
  char letter() const;  ///< 'r'
};

/// Throws PtxProblem.
std::string emit_ptx(const PtxCode& code, const std::vector<AsmOperand>& operands);

}  // namespace workbook::sim
