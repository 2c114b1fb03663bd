#include "cli/project/hints.h"

#include <stdexcept>

#include "cli/base/text.h"

namespace workbook::cli {

namespace {

/// "- ", "* ", "3. ": a line that begins an item of a list.
bool is_item(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && line.substr(digits).starts_with(". ");
}

}  // namespace

std::string unwrapped(std::string_view markdown) {
  std::string out;
  bool in_code = false, open = false;  // open: the line before may go on
  for (const std::string& line : lines_of(markdown)) {
    const std::string_view text = trimmed(line);
    const bool fence = text.starts_with("```");
    const bool apart = fence || in_code || text.empty() || is_item(text) || text.starts_with('#') ||
                       text.starts_with('|') || (!open && line.starts_with("    "));
    if (fence) in_code = !in_code;
    if (!apart && open) {
      out.back() = ' ';
      out += std::string(text) + '\n';
      continue;
    }
    out += line + '\n';
    open = !fence && !in_code && !text.empty() && !text.starts_with('#') && !text.starts_with('|') &&
           !(!is_item(text) && line.starts_with("    "));
  }
  return out;
}

std::vector<Ladder> read_hints(std::string_view markdown) {
  std::vector<Ladder> ladders;
  bool in_code = false;
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("## ")) {
      ladders.push_back({std::string(trimmed(line.substr(3))), {}});
    } else if (!in_code && line.starts_with("### ")) {
      if (ladders.empty()) throw std::runtime_error("the hint '" + line + "' stands before any '## region'");
      ladders.back().rungs.push_back({std::string(trimmed(line.substr(4))), ""});
    } else if (!ladders.empty() && !ladders.back().rungs.empty()) {
      ladders.back().rungs.back().text += line + '\n';
    }
  }
  for (Ladder& ladder : ladders) {
    if (ladder.rungs.empty()) throw std::runtime_error("the ladder '" + ladder.region + "' has no rung");
    for (Rung& rung : ladder.rungs) {
      rung.text = std::string(trimmed(rung.text));
      if (rung.text.empty())
        throw std::runtime_error("the rung '" + rung.title + "' of '" + ladder.region + "' is empty");
    }
  }
  return ladders;
}

std::vector<Ladder> ladders_of(const std::vector<Ladder>& all, const std::vector<std::string>& regions) {
  std::vector<Ladder> chosen;
  for (const std::string& region : regions)
    for (const Ladder& ladder : all)
      if (ladder.region == region) chosen.push_back(ladder);
  if (chosen.empty() && !all.empty()) chosen.push_back(all.front());
  return chosen;
}

}  // namespace workbook::cli
