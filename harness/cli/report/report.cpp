#include "cli/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/format.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "cli/run/verdict.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kBannerWidth = 78;

std::string banner(const Puzzle& puzzle, const VariantInfo& variant) {
  const std::string rule(kBannerWidth, '=');
  const std::string title =
      fmt::format("Puzzle {:02}: {} Algorithm Test & Benchmark", puzzle.number, variant.title);
  const std::size_t indent = columns(title) < kBannerWidth ? (kBannerWidth - columns(title)) / 2 : 0;
  return fmt::format("{}\n{}{}\n{}\n\n", rule, std::string(indent, ' '), paint(Colour::bold, title), rule);
}

std::string dimensions(const runs::RunRecord& record) {
  if (record.cases.empty()) return "";
  std::vector<std::string> others;
  for (const runs::CaseResult& result : record.cases)
    if (result.name != record.cases.front().name &&
        std::find(others.begin(), others.end(), result.name) == others.end())
      others.push_back(result.name);
  std::string out = "Dimensions: " + sizes_text(record.cases.front().sizes);
  if (!others.empty())
    out += fmt::format("   (and {}: {})", count_text(static_cast<std::int64_t>(others.size()), "more shape"),
                       joined(others, ", "));
  return wrapped(out, kBannerWidth + 18, "            ") + "\n\n";
}

/// The checks of one party on one engine over all cases, with the case that is nearest to its tolerance.
struct Party {
  std::string label;
  std::int64_t cases = 0, wrong = 0;
  const runs::Check* worst = nullptr;
};

double strain(const runs::Check& check) {
  if (std::isnan(check.max_difference)) return INFINITY;
  if (check.tolerance > 0.0) return check.max_difference / check.tolerance;
  return check.max_difference > 0.0 ? double{INFINITY} : 0.0;
}

std::string label_of(const runs::Check& check, const runs::CaseResult& result) {
  if (check.who == "reference") return "Reference (double, derived twice)";
  if (check.who == "cpu") return "CPU implementation";
  return result.engine.find("simulator") == std::string::npos ? "GPU implementation (" + result.engine + ")"
                                                              : "GPU implementation (" + result.engine + ")";
}

std::vector<Party> parties(const runs::RunRecord& record) {
  std::vector<Party> all;
  for (const runs::CaseResult& result : record.cases) {
    std::vector<std::string> seen;
    for (const runs::Check& check : result.checks) {
      const std::string label = label_of(check, result);
      auto party = std::find_if(all.begin(), all.end(), [&](const Party& p) { return p.label == label; });
      if (party == all.end()) party = all.insert(all.end(), {label});
      if (std::find(seen.begin(), seen.end(), label) == seen.end()) {
        ++party->cases;
        seen.push_back(label);
      }
      party->wrong += !check.correct();
      const bool more_telling =
          !party->worst || (party->worst->correct() && !check.correct()) ||
          (party->worst->correct() == check.correct() && strain(check) > strain(*party->worst));
      if (more_telling) party->worst = &check;
    }
  }
  return all;
}

std::string where_to_fill(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome) {
  const std::string file = project.shown(puzzle.file(variant_of(puzzle, outcome.record.variant)));
  const Region& first = outcome.unfilled.front();
  std::string out = paint(Colour::warn, "Not filled in yet: ") +
                    fmt::format("{}:{}", file, first.first_line) +
                    " has a FILL ME IN region with no code, '" + first.name + "'.\n";
  out += fmt::format(
      "  1. open {}\n  2. write the lines between 'FILL ME IN: {}' and 'END: {}'\n  3. save, and run this "
      "again. Stuck? `workbook hint {}`\n",
      file, first.name, first.name, puzzle.number);
  for (std::size_t i = 1; i < outcome.unfilled.size(); ++i)
    out += fmt::format("  then '{}' at line {}\n", outcome.unfilled[i].name, outcome.unfilled[i].first_line);
  return out + '\n';
}

std::string summary(const runs::RunRecord& record, const Puzzle& puzzle) {
  std::int64_t errors = 0, notes = 0;
  for (const runs::Finding& finding : record.findings) ++(finding.severity == "error" ? errors : notes);
  const std::string heading = paint(Colour::bold, "Summary: ");
  if (record.verdict == "correct")
    return heading + paint(Colour::good, "CORRECT") +
           fmt::format(" on every shape, {}.\n\n", notes > 0 ? "no errors found, " + count_text(notes, "note")
                                                             : std::string("nothing found"));
  if (record.verdict == "not_filled")
    return heading + paint(Colour::warn, "NOT FILLED IN") + ", so the answer cannot be right yet.\n\n";
  if (record.verdict == "finding")
    return heading + paint(Colour::bad, "INCORRECT") +
           fmt::format(": every element is right, but {} below.\n\n",
                       errors == 1 ? "see the finding" : "see the findings");
  if (record.verdict == "wrong")
    return heading + paint(Colour::bad, "INCORRECT") +
           fmt::format(". The next hint: `workbook hint {}`.\n\n", puzzle.number);
  const std::string what = record.verdict == "crashed"     ? "CRASHED"
                           : record.verdict == "timed_out" ? "TIMED OUT"
                                                           : "THE WORKBOOK FAILED";
  return heading + paint(Colour::bad, what) +
         fmt::format("{}{}\n\n", record.detail.empty() ? "" : ": " + record.detail,
                     record.detail.ends_with('.') ? "" : ".");
}

std::string compile_report(const RunOutcome& outcome) {
  const auto count = static_cast<std::int64_t>(outcome.record.compile_errors.size());
  return outcome.diagnostics + '\n' + paint(Colour::bad, "Does not compile: ") + count_text(count, "error") +
         ", the first at " + paint(Colour::bold, line_text(outcome.record.compile_errors.front().at)) + ".\n";
}

}  // namespace

std::string correctness_report(const runs::RunRecord& record) {
  std::string out;
  Table table({"Correctness", "shapes", "max difference", "accepted", ""});
  table.left(4);
  std::vector<std::string> words;
  for (const Party& party : parties(record))
    table.row({party.label, std::to_string(party.cases), difference_text(party.worst->max_difference),
               difference_text(party.worst->tolerance), party.wrong == 0 ? "CORRECT" : "INCORRECT"});
  if (table.empty()) return "";
  out = table.text("");
  for (std::size_t at = 0; (at = out.find("CORRECT", at)) != std::string::npos;) {
    const bool incorrect = at >= 2 && out.compare(at - 2, 2, "IN") == 0;
    const std::size_t start = incorrect ? at - 2 : at, length = incorrect ? 9 : 7;
    const std::string painted = paint(incorrect ? Colour::bad : Colour::good, out.substr(start, length));
    out.replace(start, length, painted);
    at = start + painted.size();
  }
  return out + '\n';
}

std::string run_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                       const std::optional<runs::RunRecord>& rival) {
  const runs::RunRecord& record = outcome.record;
  if (record.verdict == "does_not_compile") return compile_report(outcome);
  std::string out;
  if (record.verdict == "not_filled") out += where_to_fill(project, puzzle, outcome);
  out += dimensions(record);
  out += banner(puzzle, *puzzle.find_variant(record.variant));
  out += correctness_report(record);
  out += summary(record, puzzle);
  const bool stopped = record.verdict == "crashed" || record.verdict == "timed_out";
  if (record.verdict == "wrong" || record.verdict == "not_filled") out += wrong_report(project, record);
  // A crash that the simulator saw is a finding, with its line: once is enough.
  if (stopped && record.at && record.findings.empty())
    out += paint(Colour::bold, line_text(*record.at)) + '\n' +
           source_excerpt(sources_of(project, record), *record.at) + '\n';
  out += findings_report(project, record);
  if (!outcome.warnings.empty() && record.verdict != "not_filled") out += outcome.warnings + '\n';
  if (!record.learner_output.empty())
    out += paint(Colour::dim, "Your code printed:") + '\n' + record.learner_output.substr(0, 4000) +
           (record.learner_output.ends_with('\n') ? "\n" : "\n\n");
  if (record.verdict == "correct") {
    out += benchmark_report(record);
    if (rival) out += duel_report(record, *rival);
  }
  return out;
}

}  // namespace workbook::cli
