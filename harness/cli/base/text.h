// Text and files: what every part of the command line needs of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

/// Throws HarnessError naming the file.
std::string read_file(const std::filesystem::path& file);
std::optional<std::string> read_file_if_any(const std::filesystem::path& file);

/// Replaces the file whole: a reader, or a kill at any instant, sees the old or the new one. Creates its
/// folder. Throws HarnessError naming the file and the reason.
void write_file(const std::filesystem::path& file, std::string_view text);

std::vector<std::string> lines_of(std::string_view text);
std::string_view trimmed(std::string_view text);
std::string replaced(std::string text, std::string_view old_words, std::string_view new_words);
std::string joined(const std::vector<std::string>& parts, std::string_view separator);

/// Edits (insert, delete, replace, swap of neighbours) between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The choice that `word` was most likely meant to be, if any is near.
std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& choices);

/// " Did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& choices);

/// Columns of the narrowest terminal that everything is written for.
inline constexpr std::size_t kScreen = 80;

/// The same text with every line longer than `width` broken at spaces. What follows is indented as the line
/// is, and past a short label ("Try: ", "  got       ") to where its text begins. Colours take no columns.
/// Lines of source code, "  14 | code", are their maker's to cut.
std::string fitted(std::string_view text, std::size_t width = kScreen);

/// The same for the first line alone: below it stands what is there to be copied, a command or source lines.
std::string fitted_sentence(std::string_view text);

/// Broken into lines of at most `width` columns at spaces, each after the first indented.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

/// Columns that UTF-8 text takes on a terminal (none of ours is wide; colours take none).
std::size_t columns(std::string_view text);

}  // namespace workbook::cli
