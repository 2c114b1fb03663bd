#include "cli/grade/program_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>

#include "cli/base/text.h"
#include "cli/grade/host_code.h"
#include "cli/project/regions.h"
#include "runs/store.h"

namespace workbook::cli {
namespace {

/// Where `find` stands in `text`, blanks and line breaks being as good as each other. Nowhere: empty.
std::regex pattern_of(const std::string& find) {
  static const std::string kSpecial = R"(^$\.*+?()[]{}|)";
  std::string pattern;
  for (const char c : find) {
    if (c == ' ') continue;
    if (kSpecial.find(c) != std::string::npos) pattern += '\\';
    pattern += c;
    pattern += R"(\s*)";
  }
  if (!pattern.empty()) pattern.resize(pattern.size() - 3);
  return std::regex(pattern);
}

/// A number of the range that whoever has the same seed draws, too.
int drawn(std::uint64_t seed, const std::string& for_what, int least, int most) {
  const std::string hash = runs::content_hash(std::to_string(seed) + '\n' + for_what);
  const auto span = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<int>(std::stoull(hash.substr(0, 12), nullptr, 16) % span);
}

std::string with_number(std::string text, int number) { return replaced(text, "#", std::to_string(number)); }

std::string regions_fault(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  for (const Region& region : find_regions(text)) {
    std::string body;
    for (int line = region.first_line; line < region.last_line - 1; ++line)
      body += lines[static_cast<std::size_t>(line)] + '\n';
    if (std::string fault = refused_region(body, region.first_line + 1); !fault.empty())
      return fmt::format("region {}, {}", region.name, fault);
  }
  return "";
}

bool all_close(const std::string& got, const std::string& wanted) {
  for (std::size_t i = 0; i + 4 <= wanted.size(); i += 4) {
    float a = 0.0f, b = 0.0f;
    std::memcpy(&a, got.data() + i, 4);
    std::memcpy(&b, wanted.data() + i, 4);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    if (!(std::fabs(a - b) <= 1e-4f * std::max(1e-2f, std::fabs(b)))) return false;
  }
  return true;
}

}  // namespace

LearnersPart learners_part(const VariantInfo& variant) {
  if (!variant.regions.empty()) return LearnersPart::regions;
  return variant.begins.empty() ? LearnersPart::answers : LearnersPart::file;
}

ProgramToJudge program_to_judge(const Puzzle& puzzle, const VariantInfo& variant,
                                const std::string& handed_in, const std::string& solution) {
  switch (learners_part(variant)) {
    case LearnersPart::answers:
      return {solution, "", false};
    case LearnersPart::file: {
      GivenCode given{{}, solution};
      for (const auto& header : puzzle.headers()) given.headers.push_back(header.filename());
      return {handed_in, refused_source(handed_in, given), false};
    }
    case LearnersPart::regions:
      break;
  }
  const std::optional<std::string> text = with_others_kept(solution, handed_in, {});
  if (!text)
    return {
        "",
        fmt::format("of {} what stands between the markers is put into the program as it was given, and its "
                    "markers are not those that it had",
                    variant.file),
        false};
  std::string spaced = handed_in;
  if (!spaced.ends_with('\n')) spaced += '\n';
  return {*text, regions_fault(*text), skeleton_of(spaced) != skeleton_of(*text)};
}

std::optional<FreshProgram> fresh_program(const VariantInfo& variant, const std::string& text,
                                          std::uint64_t seed) {
  const ProgramInfo& program = *variant.program;
  if (program.fresh.empty() && program.fresh_arguments.empty()) return std::nullopt;
  FreshProgram fresh{variant, text, ""};
  for (const FreshData& data : program.fresh) {
    const std::regex pattern = pattern_of(data.find);
    if (!std::regex_search(fresh.text, pattern)) fresh.missing = data.find;
    const std::string put =
        with_number(data.put, drawn(seed, variant.name + data.find, data.least, data.most));
    fresh.text = std::regex_replace(fresh.text, pattern, replaced(put, "$", "$$"));
  }
  ProgramInfo& changed = *fresh.variant.program;
  for (const std::string& word : program.fresh_arguments)
    changed.arguments.push_back(with_number(word, drawn(seed, variant.name + word, 0, 999'999)));
  changed.answers.clear();
  changed.listing.clear();
  return fresh;
}

void expect_fresh(FreshProgram& fresh, const std::string& seen_output, const std::string& output,
                  int exit_code) {
  ProgramInfo& program = *fresh.variant.program;
  const std::vector<std::string> before = lines_of(seen_output), now = lines_of(output);
  for (std::string& text : program.prints) {
    if (output.find(text) != std::string::npos) continue;
    const std::string line(trimmed(text));
    for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i)
      if (before[i].find(line) != std::string::npos) text = now[i];
  }
  program.status = exit_code;
}

std::string differing_results(const VariantInfo& variant, const std::vector<std::string>& got,
                              const std::vector<std::string>& wanted) {
  const std::string& type = variant.program->results;
  if (type.empty()) return "";
  for (const std::string& array : wanted)
    if (std::none_of(got.begin(), got.end(), [&](const std::string& one) {
          return one.size() == array.size() && (type == "f32" ? all_close(one, array) : one == array);
        }))
      return fmt::format(
          "of the arrays that it copies to the host none holds the {} values that are right there",
          array.size() / 4);
  return "";
}

std::int64_t moved_bytes(const runs::RunRecord& record) {
  std::int64_t bytes = 0;
  for (const runs::Benchmark& benchmark : record.benchmarks)
    for (const runs::LaunchRecord& launch : benchmark.launches)
      if (launch.counters) bytes += launch.counters->dram_bytes_read + launch.counters->dram_bytes_written;
  return bytes;
}

}  // namespace workbook::cli
