#include "cli/run/listing_judge.h"

#include <regex.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/compile/listing_build.h"
#include "cli/listing/facts.h"
#include "cli/project/regions.h"

namespace workbook::cli {
namespace {

Listing listing_for(const Project& project, const RunRequest& request) {
  MadeListing made = listing_of(project, *request.puzzle, *request.variant, request.source, ListingForm::sass,
                                kListingArchitecture, ListingFrom::any);
  if (!made.ok())
    throw Failure(kDoesNotCompile, "nvcc does not compile what the simulator does:\n" + made.diagnostics);
  return std::move(made.listing);
}

std::string fact_in(const Listing& listing, const std::string& question) {
  try {
    return answer_from(listing, question);
  } catch (const std::runtime_error& error) {
    throw HarnessError("What the puzzle asks of its listing has no answer: " + std::string(error.what()) +
                       ".");
  }
}

bool is_among(const std::string& value, const std::string& answers) {
  return ('|' + answers + '|').find('|' + value + '|') != std::string::npos;
}

/// The lines of all regions, without comments.
std::vector<std::string> region_lines(std::string_view source) {
  const std::vector<std::string> lines = lines_of(source);
  std::vector<std::string> inside;
  for (const Region& region : find_regions(source))
    for (int i = region.first_line; i < region.last_line - 1; ++i)
      inside.push_back(
          lines[static_cast<std::size_t>(i)].substr(0, lines[static_cast<std::size_t>(i)].find("//")));
  return inside;
}

}  // namespace

ProgramInfo with_listed_answers(const Project& project, const RunRequest& request) {
  ProgramInfo program = *request.variant->program;
  const auto is_listed = [](const auto& asked) { return asked.second.starts_with(kListedAnswer); };
  if (std::none_of(program.answers.begin(), program.answers.end(), is_listed)) return program;
  const Listing listing = [&] {
    try {
      return listing_for(project, request);
    } catch (const NoDeviceError& error) {
      throw NoDeviceError("The answers cannot be judged. " + std::string(error.what()));
    }
  }();
  for (auto& [question, answer] : program.answers)
    if (answer.starts_with(kListedAnswer)) answer = fact_in(listing, answer.substr(kListedAnswer.size()));
  return program;
}

std::string broken_source_rule(const ProgramInfo& program, std::string_view source) {
  const std::vector<std::string> lines = region_lines(source);
  for (const ListingRule& rule : program.listing) {
    if (rule.source.empty()) continue;  // the source does not tell
    regex_t pattern;
    if (regcomp(&pattern, rule.source.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      throw HarnessError("The pattern '" + rule.source + "' is not a regular expression.");
    const bool held = std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return regexec(&pattern, line.c_str(), 0, nullptr, 0) == 0;
    });
    regfree(&pattern);
    if (held != rule.wanted) return rule.says;
  }
  return "";
}

std::string broken_listing_rule(const Project& project, const RunRequest& request, std::string& judged_by) {
  const ProgramInfo& program = *request.variant->program;
  if (program.listing.empty()) return "";
  if (request.source.confined_by != nullptr) {  // nvcc is not confined
    judged_by = "its source";
    return broken_source_rule(program, request.source.text);
  }
  try {
    const Listing listing = listing_for(project, request);
    judged_by = "its listing: " + listing.made_by;
    for (const ListingRule& rule : program.listing)
      if (!is_among(rule.value, fact_in(listing, rule.fact))) return rule.says;
    return "";
  } catch (const NoDeviceError&) {
    judged_by = "its source, for want of nvcc and nvdisasm";
    return broken_source_rule(program, request.source.text);
  }
}

}  // namespace workbook::cli
