// Macros in an asm statement: operand lists and parts of its text that a program keeps under names.
#pragma once

#include <cstddef>
#include <string>

#include "cuda_tokens.h"

namespace workbook::sim {

/// Tokens [begin, end), where words outside of brackets that the file defines as macros before them stand for
/// what they are; those inside are left to the preprocessor. Whether there was such a word: `found`.
std::string with_macros(const Tokens& tokens, std::size_t begin, std::size_t end, bool& found);

}  // namespace workbook::sim
