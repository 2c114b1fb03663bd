// The precompiled header of what every puzzle includes, one a set of flags, made anew when a header changes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/project.h"

namespace workbook::cli {

/// The header to pass with -include; its .gch lies beside it. Empty when the compiler could not make it:
/// the caller then compiles without.
std::filesystem::path precompiled_header(const Project& project, const std::vector<std::string>& command);

}  // namespace workbook::cli
