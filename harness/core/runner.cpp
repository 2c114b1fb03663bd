#include "runner.h"

#include <algorithm>
#include <chrono>

#include "call.h"
#include "declaration.h"
#include "dependence.h"
#include "runs/findings.h"

namespace workbook::core {

Runner::Runner(Backend& backend, Stage& stage, const Arguments& arguments, const Variant& variant)
    : backend_(backend),
      stage_(stage),
      arguments_(arguments),
      variant_(variant),
      task_(task_of(puzzle, variant)),
      launcher_(std::find_if(launchers.begin(), launchers.end(),
                             [&](const Launcher& l) { return l.variant == variant.name; })),
      known_(variant, read_fingerprints(arguments.fingerprints)),
      suppositions_(task_) {
  report.puzzle = puzzle.number;
  report.puzzle_title = puzzle.title;
  report.variant = variant.name;
  report.backend = backend.name();
  report.device = backend.device();
}

void Runner::run() {
  using runs::PhaseKind;
  const PhaseKind phase = arguments_.phase;
  const bool all = phase == PhaseKind::none;
  if (phase == PhaseKind::call) return call();
  const bool fast = backend_.engine() == "simulator, fast";
  if (all ? !fast : phase == PhaseKind::check) check_cases();
  if (all ? backend_.engine() != "simulator, diagnosing" : phase == PhaseKind::large) check_large();
  if (all ? !fast && !ended_ : phase == PhaseKind::bench) benchmark();
  if (phase == PhaseKind::sweep) benchmark_shape(word_of(phase), with_sizes(task_.bench), false);
  explain();
}

runs::RunRecord Runner::partial_report() {
  runs::RunRecord partial = report;
  for (runs::Finding& finding : backend_.last_findings()) {
    finding.on_case = running_case_;
    partial.findings.push_back(std::move(finding));
  }
  return partial;
}

void (*Runner::steps() const)(Run&) { return launcher_ == launchers.end() ? nullptr : launcher_->run; }

void Runner::explain() {
  for (runs::CaseResult& result : report.cases) {
    if (has_misused_barrier(report.findings, result.name)) {
      result.diagnosis.clear();
      result.places.clear();
    }
    if (std::find(certain_.begin(), certain_.end(), result.name) != certain_.end()) continue;
    std::string known = known_.words_for(result.name, result.diagnosis);
    const bool is_told = known != result.diagnosis || has_error(report.findings, result.name);
    if (is_told) result.places.clear();
    if (!is_told && unexplained_ && result.name == unexplained_->name)
      if (const std::string cause = look_closer(*unexplained_); !cause.empty())
        known = goes_on_ && !known.empty() ? known + ' ' + cause : cause;
    result.diagnosis = std::move(known);
  }
}

std::string Runner::look_closer(const Case& which) {
  std::string supposed = suppositions_.words(which.name);
  return supposed.empty() ? dependence_words(backend_, task_, variant_, steps(), which) : supposed;
}

bool Runner::has_error(const std::vector<runs::Finding>& findings, std::string_view on_case) {
  return std::any_of(findings.begin(), findings.end(), [on_case](const runs::Finding& finding) {
    return finding.severity == runs::Severity::error && finding.on_case == on_case;
  });
}

bool Runner::has_misused_barrier(const std::vector<runs::Finding>& findings, std::string_view on_case) {
  return std::any_of(findings.begin(), findings.end(), [on_case](const runs::Finding& finding) {
    return runs::is_of_phases(finding.klass) && finding.on_case == on_case;
  });
}

void Runner::call() {
  try {
    call_variant(
        backend_, task_, variant_, *launcher_, arguments_.call,
        [&](const Step& step) { stage_.set(runs::PhaseKind::call, "", std::string(step.name)); }, report);
  } catch (const LaunchFailed& failure) {
    add_failed_launch(failure, "");
  } catch (const CallRefused& why) {
    throw Refused(why.what());
  }
}

void Runner::check_cases() {
  for (std::size_t i = 0; i < task_.cases.size() && !ended_; ++i) {
    Case which = task_.cases[i];
    if (i == 0) which.dims = with_sizes(which.dims);
    check(which, runs::PhaseKind::check, i == 0);
    ended_ = ended_ || is_told();
    if (!arguments_.sizes.empty()) return;
  }
  check_fresh(task_.cases, runs::PhaseKind::check);
}

void Runner::check_large() {
  const Case large{"large", task_.large, {}};
  check(large, runs::PhaseKind::large, false);
  check_fresh({&large, 1}, runs::PhaseKind::large);
}

void Runner::check_fresh(std::span<const Case> seen, runs::PhaseKind phase) {
  if (arguments_.seed == 0 || kept_wrong_ || ended_ || !is_clean(report.findings)) return;
  fresh_.push_back(fresh_cases(task_, seen, arguments_.seed));
  const std::vector<std::string>& left_out = arguments_.left_out;
  for (const Case& which : fresh_.back().cases)
    if (!kept_wrong_ && !ended_ && std::find(left_out.begin(), left_out.end(), which.name) == left_out.end())
      check(which, phase, false);
}

bool Runner::is_clean(const std::vector<runs::Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(),
                      [](const runs::Finding& finding) { return finding.severity == runs::Severity::error; });
}

bool Runner::is_told() const {
  return !arguments_.until.empty() &&
         std::any_of(report.findings.begin(), report.findings.end(), [&](const runs::Finding& finding) {
           return finding.severity == runs::Severity::error &&
                  (std::string(runs::word_of(finding.klass)) + ": " + finding.message)
                          .find(arguments_.until) != std::string::npos;
         });
}

Dims Runner::with_sizes(Dims dims) const {
  for (const auto& [name, value] : arguments_.sizes) {
    if (!dims.has(name)) {
      std::string have;
      for (const auto& [known, size] : dims.items()) have += (have.empty() ? "" : ", ") + known;
      throw Refused("There is no size '" + name + "' here. There are: " + have + ".");
    }
    dims.set(name, value);
  }
  if (!arguments_.sizes.empty())
    if (const std::string why = refusal(variant_, dims); !why.empty()) throw Refused(why);
  return dims;
}

void Runner::check(const Case& which, runs::PhaseKind phase, bool teaching) {
  if (!refusal(variant_, which.dims).empty()) return;
  running_case_ = which.name;
  CheckedCase checked;
  try {
    checked = check_case(backend_, task_, variant_, steps(), which, arguments_, known_, !kept_wrong_,
                         teaching && arguments_.trace, [&](const Step& step) {
                           stage_.set(phase, std::string(which.name), std::string(step.name));
                         });
  } catch (const LaunchFailed& failure) {
    return add_failed_launch(failure, std::string(which.name));
  }
  if (teaching && arguments_.trace) take_trace(checked);
  if (!checked.values.tensors.empty() && (teaching || (checked.wrong() && !kept_wrong_)))
    trace.values.push_back(std::move(checked.values));
  if (arguments_.probe) add_to_print(checked);
  if (checked.certain) certain_.push_back(checked.result.name);
  if (checked.wrong() && !kept_wrong_ && !checked.tells_cause) {
    unexplained_ = which;
    goes_on_ = checked.goes_on;
  }
  kept_wrong_ = kept_wrong_ || checked.wrong();
  if (phase == runs::PhaseKind::check && !has_error(checked.findings, "")) {
    for (const runs::LaunchRecord& launch : checked.launches)
      for (const std::int64_t side : {launch.block.x, launch.block.y, launch.block.x * launch.block.y})
        suppositions_.add_length(side);
    suppositions_.look_at(std::move(checked.seen));
  }
  for (runs::Finding& finding : checked.findings) {
    finding.on_case = which.name;
    add(std::move(finding));
  }
  // The larger shapes cannot change the verdict.
  for (const runs::Score& score : checked.result.scores) ended_ = ended_ || score.hopeless();
  report.cases.push_back(std::move(checked.result));
}

void Runner::add_to_print(CheckedCase& checked) {
  const std::string& name = checked.result.name;
  if (checked.over_budget() && print.spent.empty() && print.tensors.empty()) {
    for (const runs::Score& score : checked.result.scores) print.spent.emplace_back(score.name, score.spent);
    print.on_case = name;
  }
  if (checked.wrong() && print.tensors.empty()) {
    print.tensors = std::move(checked.probes);
    print.on_case = name;
  } else if (!checked.lucky && checked.wrong()) {
    print.elsewhere.push_back({name, std::move(checked.few_probes)});
  } else if (!checked.lucky) {
    print.right.push_back(name);
  }
}

void Runner::add_failed_launch(const LaunchFailed& failure, const std::string& on_case) {
  runs::Finding finding;
  finding.klass = runs::FindingClass::launch_failed;
  finding.message = failure.what();
  finding.on_case = on_case;
  finding.fatal = true;
  add(std::move(finding));
}

void Runner::take_trace(const CheckedCase& checked) {
  if (auto seen = backend_.take_trace()) trace = std::move(*seen);
  for (const runs::LaunchRecord& launch : checked.launches) {
    if (launch.counters && launch.counters->threads == 0) continue;  // a copy or memset: nobody to trace
    runs::LaunchRecord outline;
    outline.kernel = launch.kernel;
    outline.grid = launch.grid;
    outline.block = launch.block;
    outline.shared_bytes = launch.shared_bytes;
    trace.launches.push_back(std::move(outline));
  }
}

void Runner::add(runs::Finding finding) {
  ended_ = ended_ || runs::ended_kernel(finding);  // what follows would only say so again
  runs::add_finding(report.findings, std::move(finding));
}

void Runner::benchmark() {
  benchmark_shape("teaching", with_sizes(task_.cases.front().dims), true);
  benchmark_shape("real", task_.bench, false);
}

void Runner::benchmark_shape(const std::string& name, const Dims& dims, bool time_cpu) {
  const Prepared data = prepare(task_, {name, dims, {}}, false);
  Workload workload = make_workload(task_, variant_, data);
  workload.run = steps();
  stage_.set(runs::PhaseKind::bench, name, "");
  // On a GPU the launches are timed as the host makes them: no file may be written between two of them.
  if (backend_.name() == runs::Backend::sim)
    workload.on_step = [&](const Step& step) {
      stage_.set(runs::PhaseKind::bench, name, std::string(step.name));
    };
  runs::Benchmark result = backend_.benchmark(workload);
  result.name = name;
  result.sizes = {dims.items().begin(), dims.items().end()};
  if (time_cpu && task_.cpu != nullptr) result.cpu_us = time_cpu_version(data);
  report.benchmarks.push_back(std::move(result));
  if (name != "real") return;  // where little is done, nothing costs much
  for (runs::Finding& advice : backend_.take_advice())
    if (is_learners(advice.at.file)) report.findings.push_back(std::move(advice));
}

bool Runner::is_learners(const std::string& file) {
  return !file.ends_with(".cuh") && !file.ends_with(".h") && !file.ends_with("launches.cu");
}

double Runner::time_cpu_version(const Prepared& data) const {
  using clock = std::chrono::steady_clock;
  HostArrays<float> arrays = run_on_host<float>(task_, data, task_.cpu);
  HostTensors<float> view = arrays.view();
  double best = 1e300;
  for (int i = 0; i < 20; ++i) {
    const auto start = clock::now();
    task_.cpu(data.dims, view);
    best = std::min(best, std::chrono::duration<double, std::micro>(clock::now() - start).count());
  }
  return best;
}

}  // namespace workbook::core
