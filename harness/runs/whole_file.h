// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace workbook::runs {

/// Writes beside the file first: who is killed meanwhile, or reads meanwhile, finds the last one whole.
/// Creates its folder. Throws std::runtime_error with a sentence.
void write_whole(const std::filesystem::path& file, std::string_view text);

/// Throws std::runtime_error with a sentence.
std::string read_whole(const std::filesystem::path& file);

}  // namespace workbook::runs
