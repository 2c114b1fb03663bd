// Calls that nvcc refuses and g++, to which all functions are alike, does not: of host functions in device
// code, and of device functions in host code. The object says who calls whom, inlined or not; the sources say
// where each may run. What cannot be told for certain is let pass.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

/// A source of the program as it was written.
struct ProgramSource {
  std::string file;  ///< as the compiler was told by #line
  std::string text;
};

/// The calls in `objects`, which were compiled in `folder` from `sources`, that nvcc refuses: in its words,
/// with what to do instead, by line. `relaxed`: constexpr functions are for both, as with nvcc's
/// --expt-relaxed-constexpr. Throws HarnessError where an object cannot be read.
std::vector<runs::CompileError> refused_calls(const std::vector<std::filesystem::path>& objects,
                                              const std::vector<ProgramSource>& sources,
                                              const std::filesystem::path& folder, bool relaxed);

/// What is said of them: each with its line of the source.
std::string describe(const std::vector<runs::CompileError>& errors,
                     const std::vector<ProgramSource>& sources);

}  // namespace workbook::cli
