// Reads the symbols that matter to us out of an object file, without starting readelf.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace workbook::cli {

/// Thread-local symbols that the object uses and does not define: each `extern __shared__ T name[]`
/// becomes one; those of the C++ library are its own. Throws HarnessError when the file is no 64-bit ELF
/// object.
std::vector<std::string> undefined_thread_locals(const std::filesystem::path& object);

/// The functions that the object defines, by their names in C++ without result and parameters: "scale",
/// "sums<float4, 64>". Throws HarnessError as above.
std::set<std::string> defined_functions(const std::filesystem::path& object);

}  // namespace workbook::cli
