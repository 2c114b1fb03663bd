#include "cli/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/compile/compiler_warnings.h"
#include "cli/project/answers.h"
#include "cli/report/format.h"
#include "cli/report/glossary.h"
#include "cli/run/verdict.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

constexpr std::size_t kBannerWidth = 78;

std::string banner(const Puzzle& puzzle, const VariantInfo& variant) {
  const std::string rule(kBannerWidth, '=');
  std::string title = fmt::format("Puzzle {:02}: {}{}", puzzle.number, variant.title,
                                  variant.program ? "" : " Algorithm Test & Benchmark");
  if (columns(title) > kBannerWidth) title = fmt::format("Puzzle {:02}: {}", puzzle.number, variant.title);
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
  return wrapped(out, kBannerWidth, "            ") + "\n\n";
}

/// The checks of one party on one engine over all cases, with the case that is nearest to its tolerance.
struct Party {
  std::string label;
  std::int64_t cases = 0, wrong = 0;
  const runs::Check* worst = nullptr;
};

double strain(const runs::Check& check) {
  const Worst worst = worst_of(check);
  if (std::isnan(worst.difference)) return INFINITY;
  if (worst.accepted > 0.0) return worst.difference / worst.accepted;
  return worst.difference > 0.0 ? double{INFINITY} : 0.0;
}

std::string label_of(const runs::Check& check, const runs::CaseResult& result) {
  if (check.who == "reference") return "Reference (double, derived twice)";
  if (check.who == "cpu") return "CPU implementation";
  return "GPU kernels (" + result.engine + ")";
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

/// "workbook hint 22 --fused": the variant where there are several.
std::string hint_words(const Puzzle& puzzle, const std::string& variant) {
  return fmt::format("workbook hint {}{}", puzzle.number,
                     puzzle.declaration.variants.size() > 1 ? " --" + variant : "");
}

/// Three lines and no more: there is nothing to say yet about kernels that hold no code.
std::string where_to_fill(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome) {
  if (outcome.unfilled.empty())  // a question
    return fmt::format("{} {}\n{} {}\n{} {}\n", paint(Colour::warn, "Open: "),
                       project.shown(puzzle.own / kAnswersFile), paint(Colour::warn, "Write:"),
                       outcome.record.detail, paint(Colour::warn, "Hint: "),
                       hint_words(puzzle, outcome.record.variant));
  const Region& first = outcome.unfilled.front();
  const std::string further =
      outcome.unfilled.size() > 1 ? fmt::format(" (then {} more)", outcome.unfilled.size() - 1) : "";
  return fmt::format("{} {}:{}\n{} '{}', between FILL ME IN and END{}\n{} {}\n",
                     paint(Colour::warn, "Open: "), project.shown(outcome.source), first.first_line,
                     paint(Colour::warn, "Write:"), first.name, further, paint(Colour::warn, "Hint: "),
                     hint_words(puzzle, outcome.record.variant));
}

/// What a correct program has shown.
std::string program_words(const ProgramInfo& program) {
  std::vector<std::string> parts;
  if (!program.prints.empty()) parts.emplace_back("it prints what it should");
  if (!program.calls.empty()) parts.emplace_back("its calls come in a sound order");
  parts.emplace_back(program.findings.empty() ? "no finding is left"
                                              : "it shows the finding that is asked for");
  if (!program.answers.empty()) parts.emplace_back("every answer is right");
  return joined(parts, ", ");
}

/// "CORRECT", and what comes first in every report of kernels that are not.
std::string verdict_line(const runs::RunRecord& record, const Puzzle& puzzle) {
  const auto errors = static_cast<std::int64_t>(
      std::count_if(record.findings.begin(), record.findings.end(),
                    [](const runs::Finding& finding) { return finding.severity == runs::Severity::error; }));
  const auto notes = static_cast<std::int64_t>(record.findings.size()) - errors;
  const std::optional<ProgramInfo>& program = puzzle.find_variant(record.variant)->program;
  if (record.verdict == runs::Verdict::correct && program) {
    const std::string engine = record.cases.empty() ? "" : record.cases.front().engine;
    const std::size_t judged = engine.find("judged by ");  // a rule about its listing
    return fitted(paint(Colour::bold, "Summary: ") + paint(Colour::good, "CORRECT") + ": " +
                  program_words(*program) +
                  (judged == std::string::npos ? "" : ", and it is " + engine.substr(judged)) + ".\n\n");
  }
  if (record.verdict == runs::Verdict::correct)
    return paint(Colour::bold, "Summary: ") + paint(Colour::good, "CORRECT") +
           fmt::format(" on every shape, {}.\n\n", notes > 0 ? "no errors found, " + count_text(notes, "note")
                                                             : std::string("nothing found"));
  const std::string which = fmt::format("puzzle {:02} --{}", puzzle.number, record.variant);
  if (record.verdict == runs::Verdict::finding && program)
    return paint(Colour::bad, "INCORRECT") + fmt::format(" {}: {}see the finding{} below.\n\n", which,
                                                         record.detail.empty() ? "" : record.detail + "; ",
                                                         errors == 1 ? "" : "s");
  if (record.verdict == runs::Verdict::finding && !record.detail.empty())
    return paint(Colour::bad, "INCORRECT") + fmt::format(" {}: see below; {}.\n\n", which, record.detail);
  if (record.verdict == runs::Verdict::finding)
    return paint(Colour::bad, "INCORRECT") +
           fmt::format(" {}: every element is right, but {} below.\n\n", which,
                       errors == 1 ? "see the finding" : "see the findings");
  if (record.verdict == runs::Verdict::wrong) {
    std::int64_t wrong = 0;
    for (const runs::CaseResult& result : record.cases)
      wrong += std::any_of(result.checks.begin(), result.checks.end(),
                           [](const runs::Check& check) { return !check.correct(); });
    if (wrong == 0)
      return paint(Colour::bad, "INCORRECT") + fmt::format(" {}: {}.\n\n", which, record.detail);
    return paint(Colour::bad, "INCORRECT") +
           fmt::format(" {}: wrong elements on {} of {}.\n\n", which, wrong,
                       count_text(static_cast<std::int64_t>(record.cases.size()), "shape"));
  }
  if (record.verdict == runs::Verdict::over_budget)
    return paint(Colour::bad, "OVER BUDGET") +
           fmt::format(" {}: every element is right, but at too high a price: {}.\n\n", which, record.detail);
  const std::string what = record.verdict == runs::Verdict::crashed     ? "CRASHED"
                           : record.verdict == runs::Verdict::timed_out ? "TIMED OUT"
                                                                        : "THE WORKBOOK FAILED";
  return paint(Colour::bad, what) + fmt::format(" {}{}{}{}\n\n", which, record.detail.empty() ? "" : ": ",
                                                record.detail, record.detail.ends_with('.') ? "" : ".");
}

/// A missing brace first: the compiler tells of it at the end of the file, in words about other things.
std::string brace_words(const Project& project, const RunOutcome& outcome) {
  const auto fault = brace_fault(outcome.record.source);
  if (!fault) return "";
  const std::string file = project.shown(outcome.source);
  const std::string region = fmt::format("in the region '{}' (lines {} to {})", fault->region.name,
                                         fault->region.first_line, fault->region.last_line);
  const runs::SourceLine at{file, fault->line};
  const std::string what =
      fault->too_many
          ? fmt::format("one '}}' too many {}.", region)
          : fmt::format("{} missing {}: as it is indented, the '{{' of this line is never closed.",
                        fault->count == 1 ? "a '}' is" : std::to_string(fault->count) + " '}' are", region);
  const SourceText source = [&](const std::string&) { return outcome.record.source; };
  return wrapped(
             fmt::format("{}: {} {}", paint(Colour::bold, line_text(at)), paint(Colour::bad, "error:"), what),
             kScreen, "  ") +
         '\n' + source_excerpt(source, at) + '\n';
}

std::string compile_report(const Project& project, const RunOutcome& outcome) {
  const auto count = static_cast<std::int64_t>(outcome.record.compile_errors.size());
  if (const std::string brace = brace_words(project, outcome); !brace.empty())
    return brace + paint(Colour::dim, "The compiler, which follows from it:") + '\n' +
           fitted(outcome.diagnostics) + '\n' + paint(Colour::bad, "Does not compile: ") +
           "the braces of a region do not pair up.\n";
  return fitted(outcome.diagnostics) + '\n' + paint(Colour::bad, "Does not compile: ") +
         count_text(count, "error") + ", the first at " +
         paint(Colour::bold, line_text(outcome.record.compile_errors.front().at)) + ".\n";
}

std::string learner_output(const runs::RunRecord& record) {
  if (record.learner_output.empty()) return "";
  return paint(Colour::dim, "Your code printed:") + '\n' + record.learner_output.substr(0, 4000) +
         (record.learner_output.ends_with('\n') ? "\n" : "\n\n");
}

/// What was spent on the teaching shape, beside the budget; nothing where a variant has none.
std::string budget_report(const runs::RunRecord& record) {
  if (record.cases.empty() || record.cases.front().scores.empty()) return "";
  Table table({"Spent on the " + record.cases.front().name + " shape", "yours", "enough", ""});
  table.left(3);
  for (const runs::Score& score : record.cases.front().scores)
    table.row({score.name, fmt::format("{:.0f}", score.spent), fmt::format("{:.0f}", score.budget),
               score.within() ? "" : paint(Colour::bad, "too much")});
  return table.text("") + '\n';
}

/// What the first case over budget is told.
std::string waste_report(const runs::RunRecord& record) {
  for (const runs::CaseResult& result : record.cases)
    if (!result.diagnosis.empty()) return fitted(diagnosis_line(result.diagnosis)) + '\n';
  return "";
}

/// The report of what is not correct: what is wrong, the likely cause, how to see it. No times. What the
/// learner's code printed stays as it is, however wide.
std::string faults_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                          const ReportOptions& options) {
  const runs::RunRecord& record = outcome.record;
  std::string out = fitted(verdict_line(record, puzzle));
  if (record.verdict == runs::Verdict::over_budget) out += budget_report(record) + waste_report(record);
  if (record.verdict == runs::Verdict::wrong) out += wrong_report(project, record);
  const bool stopped = record.verdict == runs::Verdict::crashed || record.verdict == runs::Verdict::timed_out;
  // A crash that the simulator saw is a finding, with its line: once is enough.
  const bool told = std::any_of(record.findings.begin(), record.findings.end(), [&](const auto& finding) {
    return record.at && finding.at.file == record.at->file && finding.at.line == record.at->line;
  });
  if (stopped && record.at && !told)
    out += paint(Colour::bold, line_text(*record.at)) + '\n' +
           source_excerpt(sources_of(project, record), *record.at) + '\n';
  if (const std::string causes = likely_causes(outcome.warnings, false, options.all); !causes.empty())
    out += paint(Colour::bold, "A likely cause, by the compiler's warning:") + '\n' + causes + '\n';
  const std::string rest = options.all ? ""
                                       : fmt::format("`workbook {} {} --{} --all` shows them",
                                                     runs::is_solution(record.origin) ? "solution" : "run",
                                                     puzzle.number, record.variant);
  out += findings_report(project, record, rest);
  if (const std::string others = likely_causes(outcome.warnings, true, options.all); !others.empty())
    out += others + '\n';
  out += learner_output(record);
  if (record.verdict == runs::Verdict::harness_error) return out;
  if (options.counters) out += counters_report(record);  // of a program: others are not measured
  return out + fitted(fmt::format("See it: `workbook view {}`. The next hint: `{}`.\n", puzzle.number,
                                  hint_words(puzzle, record.variant)));
}

/// The report of what is correct: how correct, how fast, and how that compares.
std::string correct_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                           const std::optional<runs::RunRecord>& rival, const ReportOptions& options) {
  const runs::RunRecord& record = outcome.record;
  std::set<std::string> told;
  const auto with_words = [&](const std::string& part) {
    return options.explain ? part + fitted(explained_words(part, told)) : part;
  };
  const VariantInfo& variant = *puzzle.find_variant(record.variant);
  std::string out = variant.program ? "" : dimensions(record);
  out += banner(puzzle, variant);
  out += with_words(correctness_report(record) + verdict_line(record, puzzle));
  out += budget_report(record);
  const std::string rest =
      options.all ? ""
                  : fmt::format("`workbook run {} --{} --all` shows them", puzzle.number, record.variant);
  out += with_words(findings_report(project, record, rest));
  for (const bool others : {false, true})
    if (const std::string text = likely_causes(outcome.warnings, others, options.all); !text.empty())
      out += text + '\n';
  out += learner_output(record);
  if (!variant.program) out += with_words(benchmark_report(record));  // of a program --counters tells
  if (!record.untimed.empty()) out += fitted(fmt::format("On the times: {}.\n\n", record.untimed));
  if (options.counters) out += with_words(counters_report(record));
  if (rival) out += with_words(duel_report(record, *rival));
  return out;
}

}  // namespace

Worst worst_of(const runs::Check& check) {
  if (check.worst_difference == 0.0 && check.worst_accepted == 0.0)  // an older record, or exact
    return {check.max_difference, check.tolerance};
  return {check.worst_difference, check.worst_accepted};
}

std::string correctness_report(const runs::RunRecord& record) {
  std::string out;
  Table table({"Correctness", "shapes", "worst off by", "accepted", ""});
  table.left(4);
  for (const Party& party : parties(record))
    table.row({party.label, std::to_string(party.cases), difference_text(worst_of(*party.worst).difference),
               difference_text(worst_of(*party.worst).accepted), party.wrong == 0 ? "CORRECT" : "INCORRECT"});
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

std::string failure_json(const std::string& sentence, int status) {
  return runs::dump({{"error", sentence}, {"exit", status}}) + '\n';
}

std::string run_report(const Project& project, const Puzzle& puzzle, const RunOutcome& outcome,
                       const std::optional<runs::RunRecord>& rival, const ReportOptions& options) {
  const runs::Verdict verdict = outcome.record.verdict;
  if (verdict == runs::Verdict::not_filled) {
    // A program that asks about its counters shows them before it has answers.
    const std::string counters = options.counters ? counters_report(outcome.record) : "";
    return fitted(where_to_fill(project, puzzle, outcome)) + (counters.empty() ? "" : "\n" + counters);
  }
  if (verdict == runs::Verdict::does_not_compile) return compile_report(project, outcome);
  if (verdict != runs::Verdict::correct) return faults_report(project, puzzle, outcome, options);
  return correct_report(project, puzzle, outcome, rival, options);
}

}  // namespace workbook::cli
