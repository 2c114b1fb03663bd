#include "cli/project/regions.h"

#include <optional>
#include <stdexcept>

#include "cli/report/text.h"

namespace workbook::cli {
namespace {

constexpr std::string_view kBegin = "// FILL ME IN: ";
constexpr std::string_view kEnd = "// END: ";

/// The name that a marker line carries, or nothing when the line is no such marker.
std::optional<std::string> marker(std::string_view line, std::string_view kind) {
  line = trimmed(line);
  if (!line.starts_with(kind)) return std::nullopt;
  line = trimmed(line.substr(kind.size()));
  return std::string(line.substr(0, line.find_first_of(" \t(")));
}

[[noreturn]] void fail(std::size_t line, const std::string& what) {
  throw std::runtime_error("line " + std::to_string(line) + ": " + what);
}

/// Whether a line holds code, given whether it starts inside a block comment (updated).
bool has_code(std::string_view line, bool& in_comment) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (in_comment) {
      if (rest.starts_with("*/")) in_comment = false, ++i;
    } else if (rest.starts_with("//")) {
      return false;
    } else if (rest.starts_with("/*")) {
      in_comment = true, ++i;
    } else if (!trimmed(rest.substr(0, 1)).empty()) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Region> find_regions(std::string_view source) {
  std::vector<Region> regions;
  const std::vector<std::string> lines = lines_of(source);
  bool open = false, in_comment = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (const auto name = marker(lines[i], kBegin)) {
      if (open)
        fail(i + 1, "FILL ME IN: " + *name + " starts inside '" + regions.back().name +
                        "', whose '// END: " + regions.back().name + "' is missing");
      regions.push_back({*name, number, 0, false});
      open = true;
      in_comment = false;
    } else if (const auto end = marker(lines[i], kEnd)) {
      if (!open || regions.back().name != *end)
        fail(i + 1, "'// END: " + *end + "' closes no region of that name");
      regions.back().last_line = number;
      open = false;
    } else if (open && has_code(lines[i], in_comment)) {
      regions.back().filled = true;
    }
  }
  if (open)
    fail(static_cast<std::size_t>(regions.back().first_line),
         "the region '" + regions.back().name + "' has no '// END: " + regions.back().name + "'");
  return regions;
}

std::string skeleton_of(std::string_view source) {
  const std::vector<Region> regions = find_regions(source);
  std::string out;
  int number = 0;
  for (const std::string& line : lines_of(source)) {
    ++number;
    bool inside = false;
    for (const Region& region : regions) inside |= region.first_line < number && number < region.last_line;
    if (!inside) out += line + '\n';
  }
  return out;
}

}  // namespace workbook::cli
