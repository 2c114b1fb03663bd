#include "cli/project/hints.h"

#include <stdexcept>

#include "cli/report/text.h"

namespace workbook::cli {

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

}  // namespace workbook::cli
