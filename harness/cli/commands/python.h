// A Python for `op` and for programs of the optimizer (harness/python/prepare.sh).
#pragma once

#include <filesystem>
#include <string>

namespace workbook::cli {

/// Where what is made for Pythons lies: a folder of the build's, or for an installed workbook of the user's.
std::filesystem::path python_work();

/// The interpreter that has NumPy and for which the package's compiled part is built; `wanted` empty: the
/// system's, or one of the workbook's own. Throws HarnessError where there is none; why stands on standard
/// error.
std::string prepare_python(const std::string& wanted);

}  // namespace workbook::cli
