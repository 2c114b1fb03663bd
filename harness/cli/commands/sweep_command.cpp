// `sweep N`: the variants timed over a range of sizes, and the size at which one overtakes another.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/file_lock.h"
#include "cli/base/interrupt.h"
#include "cli/base/process.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/sweep_report.h"
#include "cli/run/execute.h"
#include "cli/run/phase.h"
#include "cli/run/sweep_plan.h"
#include "runs/json.h"
#include "runs/timing.h"

namespace workbook::cli {
namespace {

constexpr int kSteps = 8;

/// One variant that is fit to be timed: built, and correct on the puzzle's own cases.
struct Runner {
  RunRequest request;
  runs::RunRecord record;
  bool stuck = false;  ///< one size took too long: larger ones would too
};

runs::SweepPoint point_of(const std::string& variant, const runs::Benchmark& benchmark,
                          const std::string& device) {
  runs::SweepPoint point;
  point.variant = variant;
  point.sizes = benchmark.sizes;
  for (const runs::TensorInfo& tensor : benchmark.tensors)
    if (tensor.role == runs::TensorRole::input || tensor.role == runs::TensorRole::output)
      point.bytes += tensor.bytes;
  point.dram_bytes = static_cast<std::int64_t>(runs::traffic_of(benchmark).total());
  for (const runs::LaunchRecord& launch : benchmark.launches)
    if (launch.counters) point.flops += launch.counters->flops;
  if (const auto timing = runs::timing_of(benchmark, device)) {
    point.low_us = timing->us.low;
    point.median_us = timing->us.median;
    point.high_us = timing->us.high;
  } else {
    point.note = "it was not timed";
  }
  return point;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) words.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

class SweepRun {
 public:
  SweepRun(const Project& project, const Puzzle& puzzle, const SweepOptions& options)
      : project_(project), puzzle_(puzzle), options_(options), store_(open_store(project)) {
    sweep_.puzzle = puzzle.number;
    sweep_.puzzle_name = puzzle.name;
    sweep_.puzzle_title = puzzle.declaration.title;
    sweep_.origin = options.solution ? runs::kSolution : runs::kLearner;
    if (!options.range.empty()) range_ = parse_range(options.range);
    sweep_.dimension = range_.dimension;
    for (const std::string& word : split(options.variants)) want(variant_of(puzzle, word));
    if (wanted_.empty())
      for (const VariantInfo& variant : puzzle.declaration.variants)
        if (comparable(variant, puzzle.first_variant())) want(variant);
    if (wanted_.empty())
      throw UsageError(
          "A sweep times kernels over sizes; the variants of this puzzle are programs of their own.");
  }

  void want(const VariantInfo& variant) {
    if (std::find(wanted_.begin(), wanted_.end(), variant.name) != wanted_.end()) return;
    if (!wanted_.empty() && !comparable(variant, variant_of(puzzle_, wanted_.front())))
      throw UsageError("--" + variant.name + " computes something else than --" + wanted_.front() +
                       ": a sweep compares variants of one task.");
    wanted_.push_back(variant.name);
  }

  void check_variants() {
    for (const std::string& name : wanted_) {
      RunOptions options = options_.run;
      options.words = {name};
      Runner runner;
      runner.request = request_of(project_, puzzle_, options, source());
      say_progress("checking --" + name);
      RunRequest check = runner.request;  // --timeout is for the sizes of the sweep
      check.limit = std::max(check.limit, RunRequest{}.limit);
      RunOutcome outcome = execute(project_, check);
      runner.record = std::move(outcome.record);
      if (runner.record.verdict == runs::Verdict::does_not_compile)
        throw Failure(kDoesNotCompile, outcome.diagnostics);
      if (sweep_.started_at.empty()) sweep_.started_at = runner.record.started_at;
      const bool fit = runner.record.verdict == runs::Verdict::correct &&
                       runs::find_benchmark(runner.record, "teaching") != nullptr;
      if (fit) {
        sweep_.variants.push_back(name);
        runners_.push_back(std::move(runner));
      } else {
        left_out(name, runner.record);
      }
    }
    say_progress("");
    if (runners_.empty()) throw Failure(worst_, joined(left_out_, "\n"));
    const runs::RunRecord& first = runners_.front().record;
    sweep_.backend = first.backend;
    const auto timing = runs::timing_of(*runs::find_benchmark(first, "teaching"), first.device);
    sweep_.device = timing ? timing->device : first.device;
  }

  void time() {
    const std::vector<runs::Sizes> plan = sizes();
    const StopOnInterrupt guard;
    const FileLock lock(build_folder(project_, puzzle_, runners_.front().request.source) / "lock");
    for (std::size_t i = 0; i < plan.size() && !interrupted; ++i)
      for (Runner& runner : runners_) {
        say_progress(fmt::format("{} of {} sizes: --{} at {}", i + 1, plan.size(),
                                 runner.request.variant->name, sizes_text(plan[i])));
        runs::SweepPoint point = time_at(runner, plan[i]);
        if (interrupted) break;
        sweep_.points.push_back(std::move(point));
        store_.save(sweep_);
      }
    say_progress("");
    sweep_.complete = !interrupted;
    if (!sweep_.points.empty()) store_.save(sweep_);
  }

  const runs::Sweep& sweep() const { return sweep_; }
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// One that was asked for by name and cannot be timed makes the exit status; nothing timed does too.
  int status() const {
    if (!options_.variants.empty() && !left_out_.empty()) return worst_;
    const bool any = std::any_of(sweep_.points.begin(), sweep_.points.end(),
                                 [](const runs::SweepPoint& point) { return point.timed(); });
    return any ? kCorrect : kCrashed;
  }

 private:
  Source source() const {
    const VariantInfo& variant = puzzle_.first_variant();
    return options_.solution ? source_from(sweep_.origin, puzzle_.solved_file(variant))
                             : learner_source(project_, puzzle_, variant);
  }

  void left_out(const std::string& name, const runs::RunRecord& record) {
    left_out_.push_back(fmt::format(
        "--{} is left out, its verdict is '{}': the times of a wrong kernel say nothing. `workbook {} {} "
        "--{}` says more{}.",
        name, replaced(word_of(record.verdict), "_", " "), options_.solution ? "solution" : "run",
        puzzle_.number, name, options_.solution ? "" : ", and --solution sweeps the solution's kernels"));
    worst_ = std::max({worst_, kWrong, static_cast<Exit>(runs::exit_status(record.verdict))});
  }

  std::vector<runs::Sizes> sizes() const {
    const runs::RunRecord& record = runners_.front().record;
    const runs::Sizes teaching = runs::find_benchmark(record, "teaching")->sizes;
    if (!range_.dimension.empty()) return sizes_of(range_, teaching);
    const runs::Benchmark* real = runs::find_benchmark(record, "real");
    return sizes_between(teaching, real != nullptr ? real->sizes : teaching, kSteps);
  }

  runs::SweepPoint time_at(Runner& runner, const runs::Sizes& sizes) {
    for (const runs::Benchmark& known : runner.record.benchmarks)
      if (known.sizes == sizes)
        if (runs::SweepPoint point = point_of(runner.record.variant, known, runner.record.device);
            point.timed())
          return point;
    runs::SweepPoint failed;
    failed.variant = runner.record.variant;
    failed.sizes = sizes;
    failed.note = "left out: a smaller size already took too long";
    if (runner.stuck) return failed;
    RunRequest request = runner.request;
    request.sizes.clear();
    for (const auto& [name, size] : sizes) request.sizes.push_back(name + "=" + std::to_string(size));
    const bool gpu = request.backend == runs::Backend::cuda;
    const Build build =
        build_child(project_, puzzle_, request.source, gpu ? Kind::cuda : Kind::sim_diagnosing,
                    gpu ? request.device.architecture : "", nullptr);
    const auto out = build_folder(project_, puzzle_, request.source) / "out" / "sweep";
    try {
      const Phase phase = run_phase(project_, request, build.child, runs::PhaseKind::sweep, out, nullptr);
      if (phase.ended == runs::Verdict::none && !phase.report.benchmarks.empty())
        return point_of(failed.variant, phase.report.benchmarks.front(), phase.report.device);
      failed.note = phase.ended == runs::Verdict::none ? phase.report.detail : phase.detail;
      runner.stuck =
          phase.ended == runs::Verdict::timed_out || phase.report.verdict == runs::Verdict::timed_out;
    } catch (const UsageError& refused) {
      failed.note = refused.what();
    }
    return failed;
  }

  const Project& project_;
  const Puzzle& puzzle_;
  const SweepOptions& options_;
  runs::Store store_;
  SizeRange range_;
  std::vector<std::string> wanted_, left_out_;
  Exit worst_ = kWrong;
  std::vector<Runner> runners_;
  runs::Sweep sweep_;
};

}  // namespace

int sweep_command(const Project& project, const SweepOptions& options) {
  const Puzzle& puzzle = options.run.puzzle.empty() ? project.current() : project.puzzle(options.run.puzzle);
  if (!options.run.words.empty())
    throw UsageError("sweep takes its variants as --variants a,b; it does not know '" +
                     options.run.words.front() + "'.");
  SweepRun run(project, puzzle, options);
  run.check_variants();
  run.time();
  const runs::Sweep& sweep = run.sweep();
  if (options.run.json) {
    print(runs::dump(sweep_json(sweep, run.left_out()), 1) + '\n');
  } else {
    show(sweep_report(sweep, run.left_out()));
    if (sweep.id != 0)
      print(paint(Colour::dim, fmt::format("{} {} recorded: `workbook view {}` draws it, key 6.\n",
                                           interrupted ? "Stopped; what there is of sweep" : "Sweep",
                                           sweep.id, puzzle.number)));
  }
  end_if_interrupted();
  return run.status();
}

}  // namespace workbook::cli
