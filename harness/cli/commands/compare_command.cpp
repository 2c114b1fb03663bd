// `compare N [A B ...]`: runs side by side, of every variant that has a correct one unless some are named.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/project/progress.h"
#include "cli/report/compare_report.h"
#include "cli/report/format.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// "fused", "--fused" or the number of a run.
runs::RunRecord chosen(const runs::Store& store, const Puzzle& puzzle, const std::string& word,
                       const std::string& backend) {
  if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
    const std::int64_t id = word.size() < 18 ? std::stoll(word) : -1;
    if (!store.has(id))
      throw UsageError("There is no run " + word + " on record: `workbook history` lists them.");
    runs::RunRecord record = store.load(id);
    if (record.puzzle != puzzle.number)
      throw UsageError("Run " + word + " is of puzzle " + std::to_string(record.puzzle) + ".");
    return record;
  }
  const VariantInfo& variant = variant_of(puzzle, word);
  if (auto record = correct_run(store, puzzle, variant.name, backend)) return *std::move(record);
  throw UsageError(
      fmt::format("No correct run of --{} is on record{}. `workbook run {} --{}` makes one, `workbook "
                  "solution {} --{}` the solution's.",
                  variant.name, backend.empty() ? "" : " on " + backend, puzzle.number, variant.name,
                  puzzle.number, variant.name));
}

/// The runs that are named, or without names every variant that has a correct one.
std::vector<runs::RunRecord> runs_to_compare(const runs::Store& store, const Puzzle& puzzle,
                                             const std::vector<std::string>& words,
                                             const std::string& backend) {
  if (words.empty()) {
    std::vector<runs::RunRecord> all = correct_runs(store, puzzle, backend);
    if (backend.empty() && !all.empty())  // one kind of time: what was measured where something was
      if (std::vector<runs::RunRecord> measured = correct_runs(store, puzzle, "cuda"); measured.size() > 1)
        return measured;
    return backend.empty() ? correct_runs(store, puzzle, "sim") : all;
  }
  std::vector<runs::RunRecord> named;
  for (const std::string& word : words)
    named.push_back(
        chosen(store, puzzle, word, named.empty() || !backend.empty() ? backend : named.front().backend));
  return named;
}

void check_enough(const std::vector<runs::RunRecord>& runs, const Puzzle& puzzle) {
  if (runs.size() > 1) return;
  const auto names = puzzle.variant_names();
  if (names.size() < 2)
    throw UsageError(
        fmt::format("Puzzle {:02} has one variant, --{}. To compare two runs of it: `workbook compare {} RUN "
                    "RUN` (`workbook history {}`).",
                    puzzle.number, names[0], puzzle.number, puzzle.number));
  const auto missing = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return std::none_of(runs.begin(), runs.end(), [&](const auto& run) { return run.variant == name; });
  });
  throw UsageError(
      fmt::format("{} To compare, make another correct one: `workbook run {} --{}`, or `workbook "
                  "solution {} --all` for the solution's.",
                  runs.empty() ? std::string("No variant has a correct run on record.")
                               : "Only --" + runs.front().variant + " has a correct run on record.",
                  puzzle.number, *missing, puzzle.number));
}

}  // namespace

int compare_command(const Project& project, const std::string& word, const std::vector<std::string>& words,
                    const std::string& backend, bool json) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  if (words.size() == 1)
    throw UsageError("compare wants two variants or runs at least, or none for every correct one.");
  for (const std::string& each : words)
    if (each.find_first_not_of("0123456789") != std::string::npos) variant_of(puzzle, each);
  const auto store = records(project);
  if (!store)
    throw UsageError(fmt::format("Nothing is on record yet. `workbook run {} --{}` makes a first run.",
                                 puzzle.number, puzzle.first_variant().name));
  const std::vector<runs::RunRecord> all = runs_to_compare(*store, puzzle, words, backend);
  check_enough(all, puzzle);
  std::string out =
      paint(Colour::bold, fmt::format("Puzzle {:02}: {}", puzzle.number, puzzle.declaration.title)) + '\n';
  for (const runs::RunRecord& run : all)
    out += fmt::format("  {}: run {}, {}, {}\n", name_of(run, all), run.id,
                       run.origin == "learner"    ? "yours"
                       : run.origin == "solution" ? "the solution's"
                                                  : run.origin,
                       ago_text(run.started_at));
  out += '\n';
  runs::Json shapes = runs::Json::array();
  std::vector<Side> last;
  for (const runs::Benchmark& bench : all.front().benchmarks) {
    const std::vector<Side> sides = sides_of(all, bench.name);
    if (sides.size() < 2) continue;
    out += shape_report(sides);
    shapes.push_back(shape_json(sides));
    last = sides;
  }
  if (shapes.empty())
    throw UsageError("These runs have no shape in common that two of them timed: run them again.");
  const std::optional<runs::Sweep> sweep = store->newest_sweep(puzzle.number);
  out += crossings_report(last, sweep);
  print(json ? runs::dump({{"puzzle", puzzle.number}, {"shapes", shapes}}, 1) + '\n' : fitted(out));
  return kCorrect;
}

}  // namespace workbook::cli
