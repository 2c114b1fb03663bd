// What launches.cu asks of the learner's kernels and does not find, because one was renamed, deleted or given
// other parameters: compilers tell of it in files that are not the learner's, once for each way in which they
// tried.
#pragma once

#include <string_view>

#include "cli/compile/compiler_output.h"

namespace workbook::cli {

/// Functions of `learner` that `launches` names and that were kernels in `begun`, the file as it begins, and
/// have lost their __global__. nvcc refuses to launch them, a compiler for CPUs does not.
std::vector<runs::CompileError> lost_kernels(const WrittenSource& learner, std::string_view begun,
                                             std::string_view launches);

/// Puts first, in words and at the learner's line, what is missing or takes other parameters than it does in
/// `begun`; what follows from it goes. Where nothing is, nothing changes.
void name_kernel_faults(CompilerOutput& output, const WrittenSource& learner, std::string_view begun,
                        const WrittenSource& launches);

}  // namespace workbook::cli
