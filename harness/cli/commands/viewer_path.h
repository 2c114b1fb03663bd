// Where the viewer is, if it was built.
#pragma once

#include <filesystem>

#include "cli/project/project.h"

namespace workbook::cli {

/// Of this build or, failing that, of `make viewer`; empty when there is none.
std::filesystem::path viewer_program(const Project& project);

}  // namespace workbook::cli
