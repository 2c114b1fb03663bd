#include "cli/run/execute.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <future>
#include <thread>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/text.h"
#include "cli/compile/compiler_warnings.h"
#include "cli/run/phase.h"
#include "cli/run/program_run.h"
#include "cli/run/verdict.h"

namespace workbook::cli {

std::string utc_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  std::array<char, 40> text{};
  const std::size_t length = strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + length, text.size() - length, ".%03dZ",
                static_cast<int>(now.tv_nsec / 1'000'000));
  return text.data();
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A thread that passes on what it throws when it is joined.
class Task {
 public:
  template <class Body>
  explicit Task(Body body)
      : thread_([this, body] {
          try {
            body();
          } catch (...) {
            thrown_ = std::current_exception();
          }
        }) {}
  void join() {
    thread_.join();
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::exception_ptr thrown_;
  std::jthread thread_;
};

bool good_so_far(const Phase& check) {
  if (check.ended != runs::Verdict::none || has_errors(check.report.findings)) return false;
  for (const runs::CaseResult& result : check.report.cases) {
    for (const runs::Check& array : result.checks)
      if (!array.correct()) return false;
    for (const runs::Score& score : result.scores)
      if (score.hopeless()) return false;
  }
  return true;
}

/// Whether a phase of the fast build ended in a way that does not tell what is wrong.
bool is_undecided(const Phase& phase) {
  if (!phase.ran) return false;
  return phase.ended == runs::Verdict::crashed || phase.ended == runs::Verdict::timed_out ||
         std::any_of(
             phase.report.findings.begin(), phase.report.findings.end(),
             [](const runs::Finding& finding) { return finding.klass == runs::FindingClass::infinite_loop; });
}

/// The builds and phases of one run. The diagnosing chain decides; the fast one goes beside it and is
/// stopped as soon as its answer no longer matters.
class Execution {
 public:
  Execution(const Project& project, const RunRequest& request, fs::path scratch)
      : project_(project), request_(request), scratch_(std::move(scratch)) {}

  void run() {
    if (request_.eager) {
      both_chains();
    } else {
      diagnosing_chain();
      if (!stop_fast_) fast_chain();
    }
    // How far the fast chain came beside a check that failed is a matter of time: none of it counts.
    if (!good_so_far(phases_.check)) phases_.large = {};
    if (is_undecided(phases_.large) && good_so_far(phases_.check) && build_.ok()) decide_large();
    if (request_.backend == runs::Backend::cuda && good_so_far(phases_.check) && build_.ok()) cuda_chain();
  }

  const Phases& phases() const { return phases_; }
  const Build& build() const { return build_; }

 private:
  void both_chains() {
    Task fast([this] { fast_chain(); });
    try {
      diagnosing_chain();
    } catch (...) {
      stop_fast_ = true;
      fast.join();
      throw;
    }
    fast.join();
  }

  void diagnosing_chain() {
    const Kind kind = Kind::sim_diagnosing;
    build_ = build_child(project_, *request_.puzzle, request_.source, kind, "", nullptr);
    if (!build_.ok()) {
      stop_fast_ = true;
      return;
    }
    // The benchmark goes beside the check, for it takes as long. It never judges: only kernels that are right
    // are timed, and what keeps them from it is a note.
    std::atomic<bool> stop_bench{false};
    std::future<Phase> bench;
    if (request_.timed)
      bench = std::async(std::launch::async,
                         [&] { return phase(kind, build_, runs::PhaseKind::bench, &stop_bench); });
    try {
      phases_.check = phase(kind, build_, runs::PhaseKind::check, nullptr);
    } catch (...) {
      stop_bench = true;
      throw;
    }
    const bool good = good_so_far(phases_.check);
    if (!good) stop_fast_ = stop_bench = true;
    if (!bench.valid()) return;
    Phase timed = bench.get();
    if (good) phases_.bench = std::move(timed);
  }

  void fast_chain() {
    const Kind kind = Kind::sim_fast;
    const Build build = build_child(project_, *request_.puzzle, request_.source, kind, "", &stop_fast_);
    if (stop_fast_ || !build.ok()) return;  // the diagnosing build reports the same errors
    Phase large = phase(kind, build, runs::PhaseKind::large, &stop_fast_);
    if (!stop_fast_) phases_.large = std::move(large);
  }

  /// The fast build sees neither what a wild index touches nor whether a loop has an end: the diagnosing one
  /// says, by work and not by time.
  void decide_large() {
    Phase again =
        run_phase(project_, request_, build_.child, runs::PhaseKind::large, scratch_ / "sim-again", nullptr);
    const bool clean = again.ended == runs::Verdict::none && good_so_far(again);
    if (phases_.large.ended != runs::Verdict::crashed || !clean) phases_.large = std::move(again);
  }

  void cuda_chain() {
    build_ = build_child(project_, *request_.puzzle, request_.source, Kind::cuda,
                         request_.device.architecture, nullptr);
    if (!build_.ok()) return;
    phases_.gpu_check = phase(Kind::cuda, build_, runs::PhaseKind::check, nullptr);
    if (!good_so_far(phases_.gpu_check)) return;
    phases_.gpu_large = phase(Kind::cuda, build_, runs::PhaseKind::large, nullptr);
    if (request_.timed && good_so_far(phases_.gpu_large))
      phases_.gpu_bench = phase(Kind::cuda, build_, runs::PhaseKind::bench, nullptr);
  }

  Phase phase(Kind kind, const Build& build, runs::PhaseKind what, const std::atomic<bool>* cancel) {
    return run_phase(project_, request_, build.child, what, scratch_ / (kind == Kind::cuda ? "cuda" : "sim"),
                     cancel);
  }

  const Project& project_;
  const RunRequest& request_;
  fs::path scratch_;
  std::atomic<bool> stop_fast_{false};
  Build build_;
  Phases phases_;
};

/// What every record says of its run, whatever comes of it.
runs::RunRecord record_of(const RunRequest& request) {
  runs::RunRecord record;
  record.started_at = utc_now();
  record.puzzle = request.puzzle->number;
  record.puzzle_name = request.puzzle->name;
  record.puzzle_title = request.puzzle->declaration.title;
  record.variant = request.variant->name;
  record.origin = request.source.origin;
  record.backend = request.backend;
  record.source = request.source.text;
  record.source_hash = runs::content_hash(request.source.text);
  return record;
}

}  // namespace

RunOutcome execute(const Project& project, const RunRequest& request) {
  const auto start = Clock::now();
  RunOutcome outcome;
  outcome.source = request.source.file;
  outcome.record = record_of(request);
  runs::RunRecord& record = outcome.record;
  outcome.unfilled = unfilled_regions(request.source.text, request.variant->regions);
  if (!outcome.unfilled.empty()) {
    record.verdict = runs::Verdict::not_filled;
    record.at = runs::SourceLine{project.shown(request.source.file), outcome.unfilled.front().first_line};
    return outcome;
  }
  const fs::path folder = build_folder(project, *request.puzzle, request.source);
  const FileLock lock(folder / "lock");
  if (request.variant->program) {
    run_program(project, request, outcome);
    record.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return outcome;
  }
  const fs::path scratch = folder / "out";
  std::error_code ignored;
  fs::remove_all(scratch, ignored);

  Execution execution(project, request, scratch);
  execution.run();
  if (execution.build().ok()) {
    assemble(execution.phases(), record);
    outcome.trace = execution.phases().check.trace;
    for (const Phase* phase : {&execution.phases().check, &execution.phases().large})
      if (outcome.probes.empty()) outcome.probes = phase->probes;
  } else {
    record.verdict = runs::Verdict::does_not_compile;
    record.compile_errors = execution.build().compile_errors;
    if (!record.compile_errors.empty()) {
      record.at = record.compile_errors.front().at;
      record.detail = record.compile_errors.front().message;
    }
  }
  outcome.diagnostics = execution.build().diagnostics;
  outcome.warnings = of_written_code(execution.build().warnings, request.source.text);
  const std::vector<runs::Finding> advice = take_double_advice(outcome.warnings);
  if (record.verdict == runs::Verdict::correct)  // what is wrong comes before what is slow
    record.findings.insert(record.findings.end(), advice.begin(), advice.end());
  record.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return outcome;
}

runs::Backend backend_named(const std::string& word) {
  if (const auto backend = runs::from_word<runs::Backend>(word)) return *backend;
  throw UsageError("There is no backend '" + word + "'." + did_you_mean(word, {"sim", "cuda"}) +
                   " There are: sim, cuda.");
}

runs::Backend choose_backend(const std::string& word, Device& device) {
  const runs::Backend wanted = backend_named(word);
  if (wanted == runs::Backend::sim) return wanted;
  device = find_device();
  if (device.usable) return runs::Backend::cuda;
  if (wanted == runs::Backend::none) return runs::Backend::sim;
  throw NoDeviceError(device.reason + " Without --backend the simulator is used.");
}

}  // namespace workbook::cli
