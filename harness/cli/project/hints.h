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

/// Throws std::runtime_error with a sentence when a ladder has no rung or a rung no text.
std::vector<Ladder> read_hints(std::string_view markdown);

}  // namespace workbook::cli
