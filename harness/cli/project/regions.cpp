#include "cli/project/regions.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "cli/base/text.h"

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

/// The braces of the code, without those in comments, strings and characters.
struct Brace {
  char kind = '{';
  int line = 0;
  std::size_t indent = 0;  ///< of the line
  bool first = false;      ///< nothing stands before it on its line
};

std::vector<Brace> braces_of(const std::vector<std::string>& lines, int first_line, int last_line) {
  std::vector<Brace> braces;
  bool in_comment = false;
  for (int number = first_line; number <= last_line; ++number) {
    const std::string& line = lines[static_cast<std::size_t>(number) - 1];
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    char quote = 0;
    for (std::size_t i = indent; i < line.size(); ++i) {
      const std::string_view rest = std::string_view(line).substr(i);
      if (in_comment) {
        if (rest.starts_with("*/")) in_comment = false, ++i;
      } else if (quote != 0) {
        if (line[i] == '\\')
          ++i;
        else if (line[i] == quote)
          quote = 0;
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        in_comment = true, ++i;
      } else if (line[i] == '"' || (line[i] == '\'' &&
                                    (i == 0 || std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0))) {
        quote = line[i];  // 1'000 separates digits
      } else if (line[i] == '{' || line[i] == '}') {
        braces.push_back({line[i], number, indent, i == indent});
      }
    }
  }
  return braces;
}

std::optional<BraceFault> fault_of(const Region& region, const std::vector<std::string>& lines) {
  std::vector<Brace> open;
  std::optional<Brace> suspect;  // closed by a '}' that stands further left: by another one's
  for (const Brace& brace : braces_of(lines, region.first_line + 1, region.last_line - 1)) {
    if (brace.kind == '{') {
      open.push_back(brace);
    } else if (open.empty()) {
      return BraceFault{region, brace.line, 1, true};
    } else {
      if (!suspect && brace.first && brace.indent < open.back().indent) suspect = open.back();
      open.pop_back();
    }
  }
  if (open.empty()) return std::nullopt;
  return BraceFault{region, suspect ? suspect->line : open.back().line, static_cast<int>(open.size()), false};
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

std::vector<Region> unfilled_regions(std::string_view source, const std::vector<std::string>& names) {
  std::vector<Region> unfilled;
  try {
    for (const Region& region : find_regions(source))
      if (!region.filled && std::find(names.begin(), names.end(), region.name) != names.end())
        unfilled.push_back(region);
  } catch (const std::runtime_error&) {
    return {};
  }
  return unfilled;
}

bool is_unwritten(std::string_view source, int line) {
  const std::vector<std::string> lines = lines_of(source);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return false;
  int first = line, last = line;
  while (first > 1 && !lines[static_cast<std::size_t>(first) - 2].starts_with('}')) --first;
  while (static_cast<std::size_t>(last) < lines.size() &&
         !lines[static_cast<std::size_t>(last) - 1].starts_with('}'))
    ++last;
  try {
    for (const Region& region : find_regions(source))
      if (!region.filled && first <= region.first_line && region.last_line <= last) return true;
  } catch (const std::runtime_error&) {
  }
  return false;
}

std::optional<BraceFault> brace_fault(std::string_view source) {
  try {
    const std::vector<std::string> lines = lines_of(source);
    for (const Region& region : find_regions(source))
      if (auto fault = fault_of(region, lines)) return fault;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  return std::nullopt;
}

std::string skeleton_of(std::string_view source, const std::vector<std::string>& kept) {
  std::vector<Region> regions = find_regions(source);
  std::erase_if(regions, [&](const Region& region) {
    return std::find(kept.begin(), kept.end(), region.name) != kept.end();
  });
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

std::optional<std::string> with_others_kept(std::string_view past, std::string_view now,
                                            const std::vector<std::string>& names) {
  std::vector<Region> then, today;
  try {
    then = find_regions(past);
    today = find_regions(now);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  const auto called = [](const std::vector<Region>& regions, const std::string& name) {
    return std::find_if(regions.begin(), regions.end(),
                        [&](const Region& each) { return each.name == name; });
  };
  for (const Region& region : today)
    if (called(then, region.name) == then.end()) return std::nullopt;
  const std::vector<std::string> lines = lines_of(past), lines_now = lines_of(now);
  std::string out;
  const auto add = [&](const std::vector<std::string>& from, int first, int last) {
    for (int line = first; line <= last; ++line) out += from[static_cast<std::size_t>(line) - 1] + '\n';
  };
  int next = 1;  // of `past`
  for (const Region& region : then) {
    if (std::find(names.begin(), names.end(), region.name) != names.end()) continue;
    const auto kept = called(today, region.name);
    if (kept == today.end()) return std::nullopt;
    add(lines, next, region.first_line);
    add(lines_now, kept->first_line + 1, kept->last_line - 1);
    next = region.last_line;
  }
  add(lines, next, static_cast<int>(lines.size()));
  return out;
}

bool differs_for(const std::vector<std::string>& regions, std::string_view before, std::string_view now) {
  if (before == now) return false;
  try {
    return skeleton_of(before, regions) != skeleton_of(now, regions);
  } catch (const std::runtime_error&) {
    return true;
  }
}

}  // namespace workbook::cli
