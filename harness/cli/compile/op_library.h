// A puzzle's kernels as a library for the GPU, which its Python module loads (harness/python).
#pragma once

#include "cli/compile/toolchain.h"

namespace workbook::cli {

/// Compiles and links, or reuses what is there when nothing changed: Build::child is then the library. Throws
/// HarnessError when it is not the learner's code that fails.
Build build_op_library(const Project& project, const Puzzle& puzzle, const Source& source,
                       const std::string& architecture);

}  // namespace workbook::cli
