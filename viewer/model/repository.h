// Where the workbook lies that the viewer belongs to.
#pragma once

#include <filesystem>

namespace workbook::viewer {

/// $WORKBOOK_ROOT, or the repository around `from`; empty: there is none.
std::filesystem::path repository_around(const std::filesystem::path& from);

/// That around the current folder, or else the one around this program; empty: there is none.
std::filesystem::path find_repository();

}  // namespace workbook::viewer
