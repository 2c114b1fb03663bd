// Precompiled headers, one for each set of flags and header text, made anew when a header of ours changes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

/// "#include <NAME>", a line each in their order: what the files include so.
std::string angled_includes(const std::vector<std::filesystem::path>& files);

/// What every puzzle includes, and what this one's given files and solution include from elsewhere: half
/// precision and mdspan are a large part of each compilation.
std::string puzzle_prelude(const Puzzle& puzzle);

/// A header of that `text` to pass with -include; what the compiler made of it lies beside it. Empty when the
/// compiler could not make it: the caller then compiles without.
std::filesystem::path precompiled_header(const Project& project, const std::vector<std::string>& command,
                                         const std::string& text);

}  // namespace workbook::cli
