// The child program: checks and times one variant of the puzzle it is linked with and writes what it saw to
// DIR/report.json; harness/cli/run/verdict.cpp makes a verdict of it. The learner's code runs only here, so
// nothing it does can hurt the parent.
#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

#include "call.h"
#include "case_check.h"
#include "declaration.h"
#include "dependence.h"
#include "fresh.h"
#include "runs/findings.h"
#include "runs/json_text.h"
#include "stage.h"

namespace workbook::core {
namespace {

constexpr int kExitUsage = 2;
constexpr int kExitHarnessFault = 5;
constexpr int kExitNoDevice = 77;

/// Sizes that were asked for and cannot be.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Runner {
 public:
  Runner(Backend& backend, Stage& stage, const Arguments& arguments, const Variant& variant)
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

  void run() {
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

  /// The findings so far, those of the case that runs now among them. For signal handlers.
  runs::RunRecord partial_report() {
    runs::RunRecord partial = report;
    for (runs::Finding& finding : backend_.last_findings()) {
      finding.on_case = running_case_;
      partial.findings.push_back(std::move(finding));
    }
    return partial;
  }

  runs::RunRecord report;
  runs::Trace trace;
  /// Of the first wrong case, with what there is of the others; where none is wrong, of the first over
  /// budget.
  Fingerprint print;

 private:
  void (*steps() const)(Run&) { return launcher_ == launchers.end() ? nullptr : launcher_->run; }

  /// What is known when all cases have been seen.
  void explain() {
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

  /// What takes more runs, of the reference and of the kernel.
  std::string look_closer(const Case& which) {
    std::string supposed = suppositions_.words(which.name);
    return supposed.empty() ? dependence_words(backend_, task_, variant_, steps(), which) : supposed;
  }

  /// Whether a finding says what is wrong in a case.
  static bool has_error(const std::vector<runs::Finding>& findings, std::string_view on_case) {
    return std::any_of(findings.begin(), findings.end(), [on_case](const runs::Finding& finding) {
      return finding.severity == runs::Severity::error && finding.on_case == on_case;
    });
  }

  /// Then the threads waited in vain, or did not wait: what is wrong in the output only follows from it.
  static bool has_misused_barrier(const std::vector<runs::Finding>& findings, std::string_view on_case) {
    return std::any_of(findings.begin(), findings.end(), [on_case](const runs::Finding& finding) {
      return runs::is_of_phases(finding.klass) && finding.on_case == on_case;
    });
  }

  void call() {
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

  /// --size replaces sizes of the teaching shape and checks that one case only.
  void check_cases() {
    for (std::size_t i = 0; i < task_.cases.size() && !ended_; ++i) {
      Case which = task_.cases[i];
      if (i == 0) which.dims = with_sizes(which.dims);
      check(which, runs::PhaseKind::check, i == 0);
      ended_ = ended_ || is_told();
      if (!arguments_.sizes.empty()) return;
    }
    check_fresh(task_.cases, runs::PhaseKind::check);
  }

  void check_large() {
    const Case large{"large", task_.large, {}};
    check(large, runs::PhaseKind::large, false);
    check_fresh({&large, 1}, runs::PhaseKind::large);
  }

  /// What is wrong already is told by the cases that the learner knows.
  void check_fresh(std::span<const Case> seen, runs::PhaseKind phase) {
    if (arguments_.seed == 0 || kept_wrong_ || ended_ || !is_clean(report.findings)) return;
    fresh_.push_back(fresh_cases(task_, seen, arguments_.seed));
    const std::vector<std::string>& left_out = arguments_.left_out;
    for (const Case& which : fresh_.back().cases)
      if (!kept_wrong_ && !ended_ &&
          std::find(left_out.begin(), left_out.end(), which.name) == left_out.end())
        check(which, phase, false);
  }

  static bool is_clean(const std::vector<runs::Finding>& findings) {
    return std::none_of(findings.begin(), findings.end(), [](const runs::Finding& finding) {
      return finding.severity == runs::Severity::error;
    });
  }

  /// Whether a finding says what was asked for. Of what is wrong every case is needed to know the cause.
  bool is_told() const {
    return !arguments_.until.empty() &&
           std::any_of(report.findings.begin(), report.findings.end(), [&](const runs::Finding& finding) {
             return finding.severity == runs::Severity::error &&
                    (std::string(runs::word_of(finding.klass)) + ": " + finding.message)
                            .find(arguments_.until) != std::string::npos;
           });
  }

  Dims with_sizes(Dims dims) const {
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

  void check(const Case& which, runs::PhaseKind phase, bool teaching) {
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

  void add_to_print(CheckedCase& checked) {
    const std::string& name = checked.result.name;
    if (checked.over_budget() && print.spent.empty() && print.tensors.empty()) {
      for (const runs::Score& score : checked.result.scores)
        print.spent.emplace_back(score.name, score.spent);
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

  void add_failed_launch(const LaunchFailed& failure, const std::string& on_case) {
    runs::Finding finding;
    finding.klass = runs::FindingClass::launch_failed;
    finding.message = failure.what();
    finding.on_case = on_case;
    finding.fatal = true;
    add(std::move(finding));
  }

  void take_trace(const CheckedCase& checked) {
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

  void add(runs::Finding finding) {
    ended_ = ended_ || runs::ended_kernel(finding);  // what follows would only say so again
    runs::add_finding(report.findings, std::move(finding));
  }

  void benchmark() {
    benchmark_shape("teaching", with_sizes(task_.cases.front().dims), true);
    benchmark_shape("real", task_.bench, false);
  }

  void benchmark_shape(const std::string& name, const Dims& dims, bool time_cpu) {
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

  /// Whether the file is not one of those that are given.
  static bool is_learners(const std::string& file) {
    return !file.ends_with(".cuh") && !file.ends_with(".h") && !file.ends_with("launches.cu");
  }

  double time_cpu_version(const Prepared& data) const {
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

  Backend& backend_;
  Stage& stage_;
  const Arguments& arguments_;
  const Variant& variant_;
  const Task& task_;
  const Launcher* launcher_;  ///< the end of all where another program has them
  KnownMistakes known_;
  Suppositions suppositions_;
  std::deque<FreshCases> fresh_;      ///< whose names are looked at as long as this lives
  std::vector<std::string> certain_;  ///< wrong cases that no known mistake has to explain
  bool ended_ = false;
  std::string running_case_;
  std::optional<Case> unexplained_;  ///< the first wrong case, where only places were told of it
  bool goes_on_ = false;             ///< what was told of it: CheckedCase::goes_on
  bool kept_wrong_ = false;          ///< trace has the values of a wrong case
};

/// Complete or not there: written beside its place and then renamed.
void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path + ".part", std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
  std::filesystem::rename(path + ".part", path);
}

/// What the parent reads when this process did not live to report.
struct LastWords {
  Runner* runner = nullptr;
  std::string file;
};
LastWords& last_words() {
  static LastWords words;
  return words;
}
void say_last_words() {
  const LastWords& words = last_words();
  if (words.runner == nullptr) return;
  write_file(words.file, runs::json_text(words.runner->partial_report()));
}

void refuse_faults(bool apart) {
  std::vector<std::string> faults = faults_of(puzzle);
  if (faults.empty() && !apart) faults = faults_of(puzzle, launchers);
  if (faults.empty()) return;
  std::string text = "The puzzle's declaration (puzzle.cpp) cannot be right:";
  for (const std::string& fault : faults) text += "\n  " + fault;
  throw std::logic_error(text);
}

int run(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  refuse_faults(!arguments.options.apart.empty());
  const Variant* variant = find_variant(puzzle, arguments.variant);
  if (variant == nullptr)
    throw std::invalid_argument("this puzzle has no variant '" + arguments.variant + "'");
  for (const Launcher& launcher : launchers)
    if (launcher.variant == variant->name && launcher.run == nullptr)
      throw std::invalid_argument("this program was compiled without --" + arguments.variant);
  const auto backend = make_backend(arguments.options);
  Stage stage(arguments.out, backend.get());
  Runner runner(*backend, stage, arguments, *variant);
  if (arguments.phase == runs::PhaseKind::check || arguments.phase == runs::PhaseKind::large) {
    last_words() = {&runner, arguments.out + "/partial.json"};
    stage.set_last_words(&say_last_words);
  }
  try {
    runner.run();
  } catch (const KernelsLost& lost) {
    stage.add(lost.last_words);
    say_last_words();
    return lost.status;
  }
  stage.set_last_words(nullptr);
  if (arguments.trace && !runner.trace.values.empty())
    write_file(arguments.out + "/trace.bin", runs::serialize(runner.trace));
  Fingerprint& print = runner.print;
  if (!print.tensors.empty()) print.spent.clear();
  if (print.tensors.empty()) print.right.clear();
  print.task = variant->task;
  print.variant = variant->name;
  if (!print.tensors.empty() || !print.spent.empty())
    write_file(arguments.out + "/probes.json", to_text({print}));
  write_file(arguments.out + "/report.json", runs::json_text(runner.report));
  return 0;
}

}  // namespace
}  // namespace workbook::core

int main(int argc, char** argv) {
  try {
    return workbook::core::run(argc, argv);
  } catch (const workbook::core::KernelsLost& lost) {  // before anything was asked of them
    return lost.status;
  } catch (const workbook::core::NoDevice& reason) {
    std::cerr << reason.what() << "\n";
    return workbook::core::kExitNoDevice;
  } catch (const workbook::core::Refused& why) {
    std::cerr << why.what() << "\n";
    return workbook::core::kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return workbook::core::kExitHarnessFault;
  }
}
