// Folders that can be made again: builds of programs, precompiled headers. Those used last are kept.
#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

namespace workbook::cli {

/// Notes that the folder is used now.
void mark_used(const std::filesystem::path& folder);

/// Removes folders of `parent` whose names begin with `prefix`, but for the `keep` used last and for those
/// used within `age`: these may be in use still. What cannot be removed stays.
void prune(const std::filesystem::path& parent, std::string_view prefix, std::size_t keep,
           std::chrono::seconds age);

}  // namespace workbook::cli
