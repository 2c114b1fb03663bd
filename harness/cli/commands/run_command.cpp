// `run` and `solution`: build, check, time, print, record.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/report/format.h"
#include "cli/report/report.h"
#include "cli/run/execute.h"
#include "cli/run/program_run.h"
#include "runs/json.h"

namespace workbook::cli {
const VariantInfo& chosen_variant(const Puzzle& puzzle, const std::vector<std::string>& words) {
  if (words.empty()) return puzzle.first_variant();
  const VariantInfo& chosen = variant_of(puzzle, words.front());
  for (const std::string& word : words)
    if (&variant_of(puzzle, word) != &chosen)
      throw UsageError("One variant at a time: --" + chosen.name + " or " + word + ".");
  return chosen;
}

namespace {

void check_sizes(const std::vector<std::string>& sizes) {
  for (const std::string& size : sizes) {
    const std::size_t equals = size.find('=');
    const std::string number = equals == std::string::npos ? "" : size.substr(equals + 1);
    if (equals == 0 || number.empty() || number.size() > 9 ||
        number.find_first_not_of("0123456789") != std::string::npos || std::stol(number) == 0)
      throw UsageError("--size wants NAME=NUMBER, such as --size H=64, not '" + size + "'.");
  }
}

/// Another variant to compare with: the first one, or for the first one the next that is on record.
const runs::RunRecord* rival_of(const std::vector<runs::RunRecord>& others, const runs::RunRecord& record) {
  const auto found = std::find_if(others.begin(), others.end(), [&](const runs::RunRecord& each) {
    return each.variant != record.variant;
  });
  return found == others.end() ? nullptr : &*found;
}

}  // namespace

RunRequest request_of(const Project& project, const Puzzle& puzzle, const RunOptions& options,
                      Source source) {
  check_sizes(options.sizes);
  if (!(options.timeout_s > 0.0) || options.timeout_s > 3600.0)
    throw UsageError("--timeout wants seconds, more than 0 and at most 3600.");
  RunRequest request;
  request.puzzle = &puzzle;
  request.variant = &chosen_variant(puzzle, options.words);
  request.backend = choose_backend(options.backend, request.device);
  request.gpu = options.gpu;
  request.sizes = options.sizes;
  request.limit = std::chrono::milliseconds(std::lround(options.timeout_s * 1000.0));
  request.source = std::move(source);
  request.tells = !options.json;
  if (!options.all) request.source.variant = request.variant->name;  // all of them are compiled at once
  project.prepare_state();
  return request;
}

namespace {

const Puzzle& chosen_puzzle(const Project& project, const RunOptions& options) {
  return options.puzzle.empty() ? project.current() : project.puzzle(options.puzzle);
}

int run_and_record(const Project& project, const Puzzle& puzzle, const RunOptions& options, Source source) {
  const RunRequest request = request_of(project, puzzle, options, std::move(source));
  runs::Store store = open_store(project);  // before the work, not after it
  if (runs::is_learner(request.source.origin)) project.set_current(puzzle);

  RunOutcome outcome = execute(project, request);
  runs::RunRecord& record = outcome.record;
  record.id = store.add(outcome.stored());
  if (options.json) {
    print(runs::dump(runs::to_json(record), 1) + '\n');
    return runs::exit_status(record.verdict);
  }
  const ReportOptions report{options.all, options.counters, options.explain};
  if (record.verdict != runs::Verdict::correct) {
    print(run_report(project, puzzle, outcome, std::nullopt, report));
  } else {
    const std::vector<runs::RunRecord> others = correct_runs(store, puzzle, *request.variant, record.backend);
    const runs::RunRecord* rival = rival_of(others, record);
    print(run_report(project, puzzle, outcome, rival ? std::optional(*rival) : std::nullopt, report));
    print(what_next(progress_of(project, puzzle, &store), record, others.size()));
  }
  if (record.verdict != runs::Verdict::not_filled)  // whose three lines are all that there is to say
    print(
        paint(Colour::dim, fmt::format("Run {} recorded, {:.1f} s.", record.id, record.elapsed_ms / 1000.0)) +
        '\n');
  return runs::exit_status(record.verdict);
}

/// The variant that is named, or with --all and none named every one; the worst exit status.
int run_variants(const Project& project, const Puzzle& puzzle, const RunOptions& options,
                 const std::function<Source(const VariantInfo&)>& source_of) {
  const auto& variants = puzzle.declaration.variants;
  if (std::any_of(variants.begin(), variants.end(),
                  [](const VariantInfo& each) { return each.program.has_value(); }))
    want_programs();  // before the first word is printed
  if (!options.all || !options.words.empty())
    return run_and_record(project, puzzle, options, source_of(chosen_variant(puzzle, options.words)));
  if (options.json) throw UsageError("--all --json wants a variant: one record at a time.");
  int worst = kCorrect;
  for (const VariantInfo& variant : variants) {
    RunOptions one = options;
    one.words = {variant.name};
    if (variant.name != puzzle.first_variant().name) print("\n");
    print(paint(Colour::accent, fmt::format("--{}", variant.name)) + '\n');
    worst = std::max(worst, run_and_record(project, puzzle, one, source_of(variant)));
  }
  return worst;
}

}  // namespace

int run_command(const Project& project, const RunOptions& options) {
  const Puzzle& puzzle = chosen_puzzle(project, options);
  if (options.kernels.empty())
    return run_variants(project, puzzle, options,
                        [&](const VariantInfo& variant) { return learner_source(project, puzzle, variant); });
  const std::filesystem::path file = std::filesystem::absolute(options.kernels);
  if (!std::filesystem::is_regular_file(file)) throw UsageError("There is no file " + options.kernels + ".");
  return run_variants(project, puzzle, options,
                      [&](const VariantInfo&) { return source_from(file.stem().string(), file); });
}

int solution_command(const Project& project, const RunOptions& options, bool show, bool yes) {
  const Puzzle& puzzle = chosen_puzzle(project, options);
  if (!show)
    return run_variants(project, puzzle, options, [&](const VariantInfo& variant) {
      return source_from(runs::kSolution, puzzle.solved_file(variant));
    });
  const VariantInfo& variant = chosen_variant(puzzle, options.words);
  const auto store = records(project);
  const bool earned = ever_solved(puzzle, variant.name, store ? &*store : nullptr);
  if (!earned && !yes &&
      !confirmed(fmt::format("Puzzle {:02} --{} is not solved yet. Show the solution all the same?",
                             puzzle.number, variant.name)))
    throw UsageError(
        fmt::format("Not shown: puzzle {:02} --{} is not solved yet. `workbook hint {}` gives the next hint; "
                    "--yes shows the solution all the same.",
                    puzzle.number, variant.name, puzzle.number));
  print(read_file(puzzle.solved_file(variant)));
  return kCorrect;
}

}  // namespace workbook::cli
