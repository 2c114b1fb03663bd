#include "cli/run/counter_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "runs/metrics.h"

namespace workbook::cli {
namespace {

[[noreturn]] void no_answer(std::string_view fact) {
  throw HarnessError("What the puzzle asks of its counters has no answer: " + std::string(fact) + ".");
}

std::optional<runs::Metric> metric_of(const runs::LaunchRecord& launch, std::string_view words) {
  for (const runs::Metric& metric : runs::metrics_of(launch))
    if (metric.words == words) return metric;
  return std::nullopt;
}

const runs::LaunchRecord* launch_of(const runs::Benchmark& run, std::string_view kernel) {
  const auto found = std::find_if(run.launches.begin(), run.launches.end(),
                                  [&](const runs::LaunchRecord& launch) { return launch.kernel == kernel; });
  return found == run.launches.end() ? nullptr : &*found;
}

/// "chain_kernel|chain".
std::string name_forms(const std::string& kernel) {
  constexpr std::string_view kSuffix = "_kernel";
  if (!kernel.ends_with(kSuffix)) return kernel;
  return kernel + '|' + kernel.substr(0, kernel.size() - kSuffix.size());
}

/// "99.7 %|99.7|100 %|100".
std::string number_forms(const runs::Metric& metric) {
  std::string shown = value_text(metric), forms = shown;
  const std::string whole = fmt::format("{:.0f}", metric.value);
  if (shown.ends_with(" %")) forms += '|' + shown.substr(0, shown.size() - 2) + '|' + whole + " %";
  return forms + '|' + whole;
}

/// The kernel that has most of it, or least: the only one, or the question would have no answer.
std::string extreme(const runs::Benchmark& run, std::string_view words, bool most, std::string_view fact) {
  std::vector<std::pair<double, std::string>> all;
  for (const runs::LaunchRecord& launch : run.launches)
    if (const auto metric = metric_of(launch, words))
      all.emplace_back(most ? -metric->value : metric->value, launch.kernel);
  std::sort(all.begin(), all.end());
  if (all.empty() || (all.size() > 1 && all[0].first == all[1].first)) no_answer(fact);
  return name_forms(all.front().second);
}

std::string answer_in(const runs::Benchmark& run, std::string_view fact) {
  for (const bool most : {true, false})
    if (const std::string_view begins = most ? "most " : "least "; fact.starts_with(begins))
      return extreme(run, fact.substr(begins.size()), most, fact);
  const std::size_t of = fact.rfind(" of ");
  if (of == std::string_view::npos) no_answer(fact);
  const runs::LaunchRecord* launch = launch_of(run, fact.substr(of + 4));
  if (launch == nullptr) no_answer(fact);
  if (fact.substr(0, of) == "bound") {
    if (!launch->modelled) no_answer(fact);
    return runs::word_of(launch->modelled->bound);
  }
  const auto metric = metric_of(*launch, fact.substr(0, of));
  if (!metric) no_answer(fact);
  return number_forms(*metric);
}

}  // namespace

ProgramInfo with_counted_answers(ProgramInfo program, const runs::Benchmark& run) {
  for (auto& [question, answer] : program.answers)
    if (answer.starts_with(kCountedAnswer))
      answer = answer_in(run, std::string_view(answer).substr(kCountedAnswer.size()));
  return program;
}

}  // namespace workbook::cli
