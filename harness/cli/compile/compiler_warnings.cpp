#include "cli/compile/compiler_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "cli/base/text.h"
#include "cli/project/regions.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMost = 3;
constexpr std::string_view kWarning = ": warning: ";

/// A warning with the source line and notes that follow it.
struct Warning {
  std::string head;  ///< its first line
  std::string text;  ///< all of it
};

std::vector<Warning> split(const std::string& warnings) {
  std::vector<Warning> all;
  for (const std::string& line : lines_of(warnings)) {
    if (line.find(kWarning) != std::string::npos) all.push_back({line, ""});
    if (!all.empty()) all.back().text += line + '\n';
  }
  return all;
}

/// "FILE:LINE" of "FILE:LINE:COLUMN: warning: ..." or "FILE(LINE): warning: ...".
runs::SourceLine place_of(const Warning& warning) {
  std::string place = warning.head.substr(0, warning.head.find(kWarning));
  if (place.ends_with(')')) {
    const std::size_t open = std::min(place.rfind('('), place.size());
    return {place.substr(0, open), std::atoi(place.c_str() + std::min(open + 1, place.size()))};
  }
  place = place.substr(0, place.rfind(':'));
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {place, 0};
  return {place.substr(0, colon), std::atoi(place.c_str() + colon + 1)};
}

bool is_telling(const Warning& warning) {
  static constexpr std::string_view kTelling[] = {"-Wuninitialized]", "-Wmaybe-uninitialized]",
                                                  "-Wsometimes-uninitialized]", "-Warray-bounds",
                                                  "-Wstringop-overflow"};
  return std::any_of(std::begin(kTelling), std::end(kTelling),
                     [&](std::string_view option) { return warning.head.find(option) != std::string::npos; });
}

template <class Wanted>
std::string those(const std::string& warnings, Wanted wanted) {
  std::string out;
  for (const Warning& warning : split(warnings))
    if (wanted(warning)) out += warning.text;
  return out;
}

bool is_of_double(const Warning& warning) {
  return warning.head.find("-Wdouble-promotion]") != std::string::npos;
}

}  // namespace

std::string of_written_code(const std::string& warnings, std::string_view source) {
  return those(warnings, [&](const Warning& w) { return !is_unwritten(source, place_of(w).line); });
}

std::vector<runs::Finding> take_double_advice(std::string& warnings) {
  std::vector<runs::Finding> all;
  for (const Warning& warning : split(warnings)) {
    // What printf() is given becomes double by the rules of C, and costs nothing that counts.
    if (!is_of_double(warning) || warning.head.find("variadic") != std::string::npos) continue;
    const runs::SourceLine at = place_of(warning);
    const auto known = std::find_if(all.begin(), all.end(), [&](const runs::Finding& finding) {
      return finding.at.file == at.file && finding.at.line == at.line;
    });
    if (known != all.end()) {
      ++known->count;
      continue;
    }
    runs::Finding finding;
    finding.klass = runs::FindingClass::double_arithmetic;
    finding.severity = runs::Severity::advice;
    finding.at = at;
    finding.message = "a float meets a double here, and the line computes in double.";
    finding.advice =
        "Write constants of floats with an f, 0.5f for 0.5. Double arithmetic takes a GPU two times as long (H200) to "
        "64 times as long (RTX 4090).";
    all.push_back(std::move(finding));
  }
  warnings = those(warnings, [](const Warning& w) { return !is_of_double(w); });
  return all;
}

std::string likely_causes(const std::string& warnings, bool others, bool all) {
  std::string out;
  std::size_t shown = 0, left = 0;
  for (const Warning& warning : split(warnings)) {
    if (is_telling(warning) == others) continue;
    if (!all && shown == kMost) {
      ++left;
      continue;
    }
    ++shown;
    out += warning.text;
  }
  if (left > 0)
    out += fmt::format("and {} more warning{} of the compiler: --all shows {}.\n", left, left == 1 ? "" : "s",
                       left == 1 ? "it" : "them");
  return fitted(out);
}

}  // namespace workbook::cli
