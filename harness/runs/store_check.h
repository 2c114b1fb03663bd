// Looks at a runs file before anything opens it for writing, and says in a sentence why it cannot be used.
#pragma once

#include <filesystem>

#include "runs/store.h"

namespace workbook::runs {

inline constexpr int kApplicationId = 0x574b424b;  ///< "WKBK", in the file's header
inline constexpr int kSchemaVersion = 1;

/// The sentence for a file that cannot be used, with what to do about it.
UnusableError unusable(const std::filesystem::path& file, const std::string& why);

void check_runs_file(const std::filesystem::path& file);

}  // namespace workbook::runs
