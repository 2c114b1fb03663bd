// The hint ladder of a puzzle, hints.md: "## region" begins a ladder, "### title" a rung of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct Rung {
  std::string title;  ///< "Nudge"
  std::string text;
};

struct Ladder {
  std::string region;
  std::vector<Rung> rungs;
};

/// Lines of one paragraph or list item as one line, which the terminal's width breaks: source lines end
/// elsewhere. Code, headings and tables stay as they are.
std::string unwrapped(std::string_view markdown);

/// Throws std::runtime_error with a sentence when a ladder has no rung or a rung no text.
std::vector<Ladder> read_hints(std::string_view markdown);

/// The ladders of these regions, in the regions' order; the first one there is where none of them has any.
std::vector<Ladder> ladders_of(const std::vector<Ladder>& all, const std::vector<std::string>& regions);

}  // namespace workbook::cli
