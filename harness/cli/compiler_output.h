// Makes what g++ or nvcc printed readable: the compiler's own errors, at the learner's lines, without
// the trail of includes and template instantiations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

struct CompilerOutput {
  std::vector<runs::CompileError> errors;  ///< in the compiler's order
  std::string text;                        ///< the same with source lines and carets, for the terminal
  std::string warnings;                    ///< those in `learner_files` only
};

CompilerOutput read_compiler_output(std::string_view output, const std::vector<std::string>& learner_files);

}  // namespace workbook::cli
