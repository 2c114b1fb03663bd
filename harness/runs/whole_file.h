// Files that are read and written whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace workbook::runs {

/// Throws std::runtime_error with a sentence.
std::string read_whole(const std::filesystem::path& file);

/// Writes beside the file first: who is killed meanwhile, or reads meanwhile, finds the last one whole; of
/// several who write one file at once one is the last. Creates its folder. Throws std::runtime_error with a
/// sentence.
void write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace workbook::runs
