// Wrong elements and findings, as compilers print them: file:line, the source line, a marker.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/report/finding_groups.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/run/verdict.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kMostFindings = 3;

Colour colour_of(runs::Severity severity) {
  return severity == runs::Severity::error     ? Colour::bad
         : severity == runs::Severity::warning ? Colour::warn
                                               : Colour::accent;
}

/// "teaching (B 4, S 4)": a shape's sizes stand beside its name.
std::string shape_text(const std::string& name, const std::vector<runs::CaseResult>& cases) {
  for (const runs::CaseResult& result : cases)
    if (result.name == name && !result.sizes.empty()) return name + " (" + sizes_text(result.sizes) + ")";
  return name;
}

/// "  The same cause shows at lines 31, 34 (tile)." Each line once, and none that the finding shows itself.
std::string elsewhere(const FindingGroup& group) {
  std::vector<runs::SourceLine> told = {group.first->at, group.first->other.value_or(group.first->at)};
  std::vector<std::string> places;
  for (const runs::Finding* finding : group.more)
    for (const runs::SourceLine& at : {finding->at, finding->other.value_or(finding->at)}) {
      if (std::any_of(told.begin(), told.end(), [&](const runs::SourceLine& known) {
            return known.line == at.line && known.file == at.file;
          }))
        continue;
      told.push_back(at);
      std::string place = std::to_string(at.line);
      if (at.file != group.first->at.file)
        place += " of " + std::filesystem::path(at.file).filename().string();
      if (const std::string array = array_of(*finding); !array.empty() && array != array_of(*group.first))
        place += " (" + array + ")";
      places.push_back(place);
    }
  if (places.empty()) return "";
  return "  The same cause shows at line" + std::string(places.size() > 1 ? "s " : " ") +
         joined(places, ", ") + ".\n";
}

std::string called_text(const SourceText& source, const runs::SourceLine& at) {
  return "  called at " + line_text(at) + '\n' + source_excerpt(source, at);
}

std::string one_finding(const SourceText& source, const FindingGroup& group,
                        const std::vector<runs::CaseResult>& cases) {
  const runs::Finding& finding = *group.first;
  std::string out =
      wrapped(fmt::format("{}{} {}",
                          finding.at.file.empty() ? "" : paint(Colour::bold, line_text(finding.at)) + ": ",
                          paint(colour_of(finding.severity), word_of(finding.severity) + std::string(":")),
                          finding.message),
              kScreen, "  ") +
      '\n' + source_excerpt(source, finding.at);
  if (finding.called_from) out += called_text(source, *finding.called_from);
  if (finding.other && (finding.other->line != finding.at.line || finding.other->file != finding.at.file)) {
    out += fmt::format("  the other {}is at {}\n", finding.other_who ? "thread " : "",
                       line_text(*finding.other)) +
           source_excerpt(source, *finding.other);
  }
  std::string where = finding.kernel.empty() ? "  on the host" : "  in " + finding.kernel;
  if (finding.who && finding.message.find("thread ") == std::string::npos)
    where += ", " + thread_text(*finding.who);
  if (!finding.on_case.empty()) where += ", shape " + shape_text(finding.on_case, cases);
  if (finding.count > 1) where += fmt::format(", {} times", finding.count);
  // The compiler's advice is about what is written, wherever it runs.
  if (!finding.kernel.empty() || finding.severity != runs::Severity::advice)
    out += paint(Colour::dim, where) + '\n';
  out += elsewhere(group);
  if (!finding.advice.empty()) out += "  Try: " + finding.advice + '\n';
  return fitted(out) + '\n';
}

/// What CaseResult::places draws, with the wrong ones in colour.
std::string painted_places(const std::string& places) {
  if (places.empty()) return "";
  std::string out = "\n";
  for (std::size_t at = 0; at < places.size();) {
    const bool is_wrong = places[at] == '#' || places[at] == '_' || places[at] == '+';
    const std::size_t end = is_wrong ? places.find_first_not_of(places[at], at) : at + 1;
    const std::string run = places.substr(at, end - at);
    out += is_wrong && at > places.find('\n') ? paint(Colour::bad, run) : run;
    at += run.size();
  }
  return out + '\n';
}

}  // namespace

SourceText sources_of(const Project& project, const runs::RunRecord& record) {
  std::vector<std::string> given = {"launches.cu"};  // beside the file that was judged
  for (const Puzzle& puzzle : project.puzzles()) {
    const VariantInfo* const variant =
        puzzle.number == record.puzzle ? puzzle.find_variant(record.variant) : nullptr;
    if (variant == nullptr || !variant->program) continue;
    given.insert(given.end(), variant->program->sources.begin(), variant->program->sources.end());
  }
  return [&, given](const std::string& file) {
    const std::string name = std::filesystem::path(file).filename().string();
    const bool judged = file.ends_with(".cu") && std::find(given.begin(), given.end(), name) == given.end();
    return judged ? record.source : read_file_if_any(project.file_of(file)).value_or("");
  };
}

std::string source_excerpt(const SourceText& source, const runs::SourceLine& at, int column) {
  if (at.line <= 0) return "";
  const std::vector<std::string> lines = lines_of(source(at.file));
  if (static_cast<std::size_t>(at.line) > lines.size()) return "";
  const std::string& line = lines[static_cast<std::size_t>(at.line) - 1];
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t mark = column > 0 ? static_cast<std::size_t>(column) - 1 : first;
  const std::size_t length =
      column > 0 ? 0 : trimmed(line.substr(first, line.find("//", first) - first)).size();
  constexpr std::size_t kMargin = 8;  // "   14 | "
  const std::size_t room = kScreen - kMargin;
  // A line that is too long is cut at its end, or around its mark.
  const std::size_t from = mark + 1 < room || line.size() <= room ? 0 : mark - std::min(mark, room / 2);
  std::string shown = line.substr(from, room);
  if (from > 0) shown.replace(0, 3, "...");
  if (from + room < line.size()) shown.replace(room - 3, 3, "...");
  const std::size_t marked = std::min(std::max<std::size_t>(length, 1), room - (mark - from));
  return fmt::format(" {:>4} | {}\n      | {}{}\n", at.line, shown, std::string(mark - from, ' '),
                     paint(Colour::bold, "^" + std::string(marked - 1, '~')));
}

std::string diagnosis_line(const std::string& diagnosis) {
  return paint(Colour::bold, "Diagnosis:") + ' ' + diagnosis + '\n';
}

std::string wrong_report(const Project& project, const runs::RunRecord& record) {
  const auto wrong = first_wrong(record);
  if (!wrong) return "";
  const runs::Check& check = *wrong->check;
  std::string out;
  if (check.first_wrong) {
    const runs::FirstWrong& first = *check.first_wrong;
    out += fmt::format("{} {}\n", paint(Colour::bad, "First wrong:"),
                       fmt::format("{}{} of shape {} ({})", check.tensor, index_text(first.index),
                                   wrong->at->name, sizes_text(wrong->at->sizes)));
    out += fmt::format("  got       {}{}\n", value_text(first.got),
                       first.written ? "" : "   (nothing was written there)");
    out += fmt::format("  expected  {}\n", value_text(first.expected));
    if (first.writer)
      out += fmt::format("  written by {}{}\n",
                         first.writer_name.empty() ? thread_text(*first.writer) : first.writer_name,
                         first.at ? ", " + line_text(*first.at) : "");
    if (first.at) out += source_excerpt(sources_of(project, record), *first.at);
    if (first.called_from) out += called_text(sources_of(project, record), *first.called_from);
  }
  out += check.total == 1
             ? fmt::format("  the one element of {} is wrong", check.tensor)
             : fmt::format("  {} of {} elements of {} are wrong", check.wrong, check.total, check.tensor);
  const Worst worst = worst_of(check);
  if (std::isfinite(worst.difference))
    out += fmt::format(", the worst by {} where {} is accepted", difference_text(worst.difference),
                       difference_text(worst.accepted));
  else
    out += std::isnan(worst.difference) ? ", NaN among them" : ", infinity among them";
  out += fmt::format("; {}\n", wrong->at->engine);
  if (!wrong->at->diagnosis.empty()) out += '\n' + diagnosis_line(wrong->at->diagnosis);
  return fitted(out) + painted_places(wrong->at->places) + '\n';
}

std::string findings_text(const std::vector<runs::Finding>& findings, const SourceText& source,
                          std::size_t most, const std::string& rest,
                          const std::vector<runs::CaseResult>& cases) {
  const std::vector<FindingGroup> groups = groups_of(findings);
  std::string out;
  for (std::size_t i = 0; i < std::min(groups.size(), most); ++i)
    out += one_finding(source, groups[i], cases);
  if (groups.size() <= most) return out;
  std::vector<std::string> counts;
  for (const auto& [severity, one, many] :
       {std::tuple{runs::Severity::error, "error", "errors"},
        {runs::Severity::warning, "warning", "warnings"},
        {runs::Severity::advice, "piece of advice", "pieces of advice"}}) {
    const auto left = std::count_if(
        groups.begin() + static_cast<std::ptrdiff_t>(most), groups.end(),
        [severity = severity](const FindingGroup& group) { return group.first->severity == severity; });
    if (left > 0) counts.push_back(fmt::format("{} {}", left, left == 1 ? one : many));
  }
  return out + fitted(fmt::format("and {} more: {}.\n", joined(counts, ", "), rest)) + '\n';
}

std::string findings_report(const Project& project, const runs::RunRecord& record, const std::string& rest) {
  const std::size_t most = rest.empty() ? record.findings.size() : kMostFindings;
  return findings_text(record.findings, sources_of(project, record), most, rest, record.cases);
}

}  // namespace workbook::cli
