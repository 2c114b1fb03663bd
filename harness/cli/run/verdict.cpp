#include "cli/run/verdict.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace workbook::cli {
namespace {

bool same(const runs::Finding& a, const runs::Finding& b) {
  return a.klass == b.klass && a.at.file == b.at.file && a.at.line == b.at.line && a.kernel == b.kernel;
}

void add_report(const Phase& phase, runs::RunRecord& record) {
  if (!phase.ran) return;
  std::copy(phase.report.cases.begin(), phase.report.cases.end(), std::back_inserter(record.cases));
  for (const runs::Finding& finding : phase.report.findings) {
    const auto known = std::find_if(record.findings.begin(), record.findings.end(),
                                    [&](const auto& other) { return same(other, finding); });
    if (known == record.findings.end())
      record.findings.push_back(finding);
    else if (finding.severity < known->severity)
      *known = finding;
  }
  if (record.device.empty() || phase.report.backend == record.backend) record.device = phase.report.device;
}

/// A GPU measures times, the simulator counts: of the same launches on the same sizes both are kept.
void add_counters(const runs::Benchmark& counted, runs::Benchmark& measured) {
  if (counted.sizes != measured.sizes || counted.launches.size() != measured.launches.size()) return;
  measured.modelled_total_us = counted.modelled_total_us;
  for (std::size_t i = 0; i < counted.launches.size(); ++i) {
    if (!measured.launches[i].counters) measured.launches[i].counters = counted.launches[i].counters;
    if (!measured.launches[i].modelled) measured.launches[i].modelled = counted.launches[i].modelled;
  }
}

std::vector<runs::Benchmark> benchmarks_of(const Phases& phases) {
  const std::vector<runs::Benchmark>& counted = phases.bench.report.benchmarks;
  if (!phases.gpu_bench.ran || phases.gpu_bench.ended != runs::Verdict::none) return counted;
  std::vector<runs::Benchmark> all = phases.gpu_bench.report.benchmarks;
  for (runs::Benchmark& measured : all)
    for (const runs::Benchmark& candidate : counted)
      if (candidate.name == measured.name) add_counters(candidate, measured);
  return all;
}

/// Why there are no times, where there should be some: a benchmark does not judge.
std::string untimed(const Phases& phases) {
  for (const Phase* phase : {&phases.gpu_bench, &phases.bench}) {
    if (!phase->ran) continue;
    if (phase->ended != runs::Verdict::none) return phase->detail;
    for (const runs::Benchmark& benchmark : phase->report.benchmarks)
      if (!benchmark.note.empty()) return benchmark.name + " shape: " + benchmark.note;
  }
  return "";
}

void end_with(runs::Verdict verdict, const std::string& detail, const std::optional<runs::SourceLine>& at,
              runs::RunRecord& record) {
  record.verdict = verdict;
  record.detail = detail;
  record.at = at;
}

/// A child that did not live to report. True when there was one. The fast build only crashes where the
/// diagnosing one says why: what that has found comes first. So does what a child has found that a limit of
/// time ended.
bool ended_early(const Phases& phases, runs::RunRecord& record) {
  const bool explained = first_wrong(record) || has_errors(record.findings);
  for (const Phase* phase : {&phases.check, &phases.gpu_check, &phases.large, &phases.gpu_large}) {
    if (!phase->ran || phase->ended == runs::Verdict::none) continue;
    const bool large = phase == &phases.large || phase == &phases.gpu_large;
    if (explained && (large || phase->ended == runs::Verdict::timed_out)) {
      if (!large) record.detail = "not all of it was looked at, for there was " + phase->detail;
      continue;
    }
    end_with(phase->ended, phase->detail, phase->at, record);
    return true;
  }
  return false;
}

template <class Test>
const runs::Finding* find_finding(const runs::RunRecord& record, Test test) {
  const auto found = std::find_if(record.findings.begin(), record.findings.end(), test);
  return found == record.findings.end() ? nullptr : &*found;
}

std::string sentence(const runs::Finding& finding) {
  return (finding.kernel.empty() ? "" : finding.kernel + ": ") + finding.message;
}

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// Both in as many digits as it takes to tell them apart.
std::string spent_where_enough(double spent, double budget) {
  int digits = 0;
  while (digits < 3 && number(spent, digits) == number(budget, digits)) ++digits;
  return number(spent, digits) + " where " + number(budget, digits) + " are enough";
}

/// "global reads: 12288 where 4096 are enough, on 'teaching'"; empty within the budget.
std::string over_budget(const runs::RunRecord& record) {
  for (const runs::CaseResult& result : record.cases)
    for (const runs::Score& score : result.scores)
      if (!score.within())
        return score.name + ": " + spent_where_enough(score.spent, score.budget) + ", on '" + result.name +
               "'";
  return "";
}

}  // namespace

bool has_errors(const std::vector<runs::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& finding) { return finding.severity == runs::Severity::error; });
}

std::optional<Wrong> first_wrong(const runs::RunRecord& record) {
  for (const runs::CaseResult& result : record.cases)
    for (const runs::Check& check : result.checks)
      if (!check.correct()) return Wrong{&result, &check};
  return std::nullopt;
}

void assemble(const Phases& phases, runs::RunRecord& record) {
  for (const Phase* phase : {&phases.check, &phases.gpu_check, &phases.large, &phases.gpu_large})
    add_report(*phase, record);
  record.benchmarks = benchmarks_of(phases);
  for (const Phase* phase : {&phases.check, &phases.gpu_check, &phases.large, &phases.gpu_large})
    if (record.learner_output.empty()) record.learner_output = phase->output;

  if (const auto* finding = find_finding(record, [](const auto& f) { return f.fatal; }))
    return end_with(runs::Verdict::crashed, sentence(*finding), finding->at, record);
  if (const auto* finding =
          find_finding(record, [](const auto& f) { return f.klass == runs::FindingClass::infinite_loop; }))
    return end_with(runs::Verdict::timed_out, sentence(*finding), finding->at, record);
  if (ended_early(phases, record)) return;
  const auto wrong = first_wrong(record);
  if (wrong && (wrong->check->who == "reference" || wrong->check->who == "cpu"))
    return end_with(runs::Verdict::harness_error,
                    "the puzzle's own " + wrong->check->who + " is wrong on '" + wrong->at->name + "'",
                    std::nullopt, record);
  const bool flawed = wrong || has_errors(record.findings);
  if (wrong) return end_with(runs::Verdict::wrong, wrong->at->diagnosis, std::nullopt, record);
  if (flawed) return end_with(runs::Verdict::finding, record.detail, std::nullopt, record);
  if (const std::string over = over_budget(record); !over.empty())
    return end_with(runs::Verdict::over_budget, over, std::nullopt, record);
  record.untimed = untimed(phases);
  for (const runs::Finding& advice :
       phases.bench.report.findings)  // a benchmark does not judge, and may advise
    if (advice.severity == runs::Severity::advice) record.findings.push_back(advice);
  end_with(runs::Verdict::correct, "", std::nullopt, record);
}

}  // namespace workbook::cli
