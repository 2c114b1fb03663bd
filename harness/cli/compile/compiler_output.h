// Makes what g++, clang++ or nvcc printed readable: the compiler's own errors, at the learner's lines,
// without the trail of includes and template instantiations.
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

/// A file of the learner's, as it was written and as the compiler saw it.
struct WrittenSource {
  std::string file;       ///< as the compiler names it
  std::string written;    ///< empty: not known, or as the compiler saw it
  std::string rewritten;  ///< line for line
};

CompilerOutput read_compiler_output(std::string_view output, const std::vector<WrittenSource>& learner_files);

}  // namespace workbook::cli
