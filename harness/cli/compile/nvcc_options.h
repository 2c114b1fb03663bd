// The options of nvcc's command line, so that one that is written for nvcc can be given to `workbook sim` as
// it is.
#pragma once

#include <string>
#include <vector>

namespace workbook::cli {

/// The words of nvcc's options in the form that a compiler driver has: long names and `name=value` as the
/// short option and its value apart ("--define-macro=X" as "-D", "X"), what -Xcompiler and -Xlinker pass on
/// as words of their own, and nothing of what says how code for a GPU is made or where files go. Words that
/// are no option of nvcc's stay; so does everything behind "--". Throws UsageError for what has nvcc write
/// other files in place of a program (-ptx, -E, -dlink).
std::vector<std::string> without_nvcc_options(const std::vector<std::string>& words);

}  // namespace workbook::cli
