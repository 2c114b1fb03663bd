// PTX that was read (ptx_code.h) as C++: a block with its registers as variables, in which each instruction
// is a call of its function in sim/include/workbook_sim/ptx_functions.h.
#pragma once

#include <string>
#include <vector>

#include "ptx_code.h"
#include "ptx_operands.h"

namespace workbook::sim {

/// Throws PtxProblem.
std::string emit_ptx(const PtxCode& code, const std::vector<AsmOperand>& operands);

}  // namespace workbook::sim
