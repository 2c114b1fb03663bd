// Where the viewer is, if it was built.
#pragma once

#include <filesystem>

namespace workbook::cli {

/// Empty when it was not built yet.
std::filesystem::path viewer_program();

}  // namespace workbook::cli
