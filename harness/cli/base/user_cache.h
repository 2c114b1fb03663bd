// What an installed workbook keeps for a user outside of any learner's folder, and can make again.
#pragma once

#include <filesystem>

namespace workbook::cli {

/// $XDG_CACHE_HOME/workbook, or ~/.cache/workbook; for a user without a home a folder of /tmp.
std::filesystem::path user_cache();

}  // namespace workbook::cli
