#include "cli/grade/device_time.h"

#include <algorithm>

#include "cli/base/file_lock.h"
#include "cli/run/phase.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

DeviceTime not_measured(std::string why) { return {0.0, std::move(why)}; }

/// What kept a phase from its end; empty: nothing.
std::string trouble_of(const Phase& phase) {
  if (phase.ended != runs::Verdict::none)
    return runs::word_of(phase.ended) + (phase.detail.empty() ? "" : ": " + phase.detail);
  for (const runs::CaseResult& result : phase.report.cases)
    for (const runs::Check& check : result.checks)
      if (!check.correct()) return "it is wrong on the GPU, on '" + result.name + "'";
  return "";
}

}  // namespace

DeviceTime device_time(const Project& project, RunRequest request) {
  request.backend = runs::Backend::cuda;
  request.traced = false;
  request.seed = 0;  // the simulator has judged what is fresh
  const Build build =
      build_child(project, *request.puzzle, request.source, Kind::cuda, request.device.architecture, nullptr);
  if (!build.ok()) {
    const std::string said = build.compile_errors.empty() ? "" : ": " + build.compile_errors.front().message;
    return not_measured("nvcc does not take it" + said);
  }
  const fs::path scratch = build_folder(project, *request.puzzle, request.source) / "out" / "cuda";
  const FileLock alone(project.state() / "grade" / "device.lock");  // times of one kernel at a time
  const Phase check = run_phase(project, request, build.child, runs::PhaseKind::check, scratch, nullptr);
  if (std::string trouble = trouble_of(check); !trouble.empty()) return not_measured(std::move(trouble));
  const Phase bench = run_phase(project, request, build.child, runs::PhaseKind::bench, scratch, nullptr);
  if (std::string trouble = trouble_of(bench); !trouble.empty()) return not_measured(std::move(trouble));
  const runs::Benchmark* const real = runs::find_benchmark(bench.report, "real");
  const auto timing = real != nullptr ? runs::timing_of(*real, request.device.name) : std::nullopt;
  if (!timing || !timing->measured || timing->us.median <= 0.0)
    return not_measured(real != nullptr && !real->note.empty() ? real->note : "its benchmark has no times");
  return {timing->us.median, ""};
}

}  // namespace workbook::cli
