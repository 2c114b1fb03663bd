// `compare N [A B ...]`: runs side by side, of every variant that has a correct one unless some are named.
#include <fmt/format.h>

#include <algorithm>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/progress.h"
#include "cli/project/tensor_program.h"
#include "cli/report/compare_report.h"
#include "cli/report/format.h"
#include "cli/report/found_report.h"
#include "cli/run/execute.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// "fused", "--fused" or the number of a run.
runs::RunRecord chosen(const runs::Store& store, const Puzzle& puzzle, const std::string& word,
                       runs::Backend backend) {
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
                  variant.name, backend == runs::Backend::none ? "" : std::string(" on ") + word_of(backend),
                  puzzle.number, variant.name, puzzle.number, variant.name));
}

/// The runs of every variant that has a correct one and computes what `like` computes.
std::vector<runs::RunRecord> runs_like(const runs::Store& store, const Puzzle& puzzle,
                                       const VariantInfo& like, runs::Backend backend) {
  std::vector<runs::RunRecord> all = correct_runs(store, puzzle, like, backend);
  if (backend != runs::Backend::none || all.empty()) return all;
  // One kind of time: what was measured where something was.
  if (std::vector<runs::RunRecord> measured = correct_runs(store, puzzle, like, runs::Backend::cuda);
      measured.size() > 1)
    return measured;
  return correct_runs(store, puzzle, like, runs::Backend::sim);
}

/// The runs that are named; without names all that compare, a group for each thing that the puzzle computes.
std::vector<std::vector<runs::RunRecord>> runs_to_compare(const runs::Store& store, const Puzzle& puzzle,
                                                          const std::vector<std::string>& words,
                                                          runs::Backend backend) {
  std::vector<std::vector<runs::RunRecord>> groups;
  if (!words.empty()) {
    std::vector<runs::RunRecord>& named = groups.emplace_back();
    for (const std::string& word : words)
      named.push_back(
          chosen(store, puzzle, word,
                 named.empty() || backend != runs::Backend::none ? backend : named.front().backend));
    return groups;
  }
  std::vector<runs::RunRecord> first;
  std::vector<const VariantInfo*> seen;
  for (const VariantInfo& variant : puzzle.declaration.variants) {
    if (std::any_of(seen.begin(), seen.end(),
                    [&](const VariantInfo* other) { return comparable(*other, variant); }))
      continue;
    seen.push_back(&variant);
    std::vector<runs::RunRecord> group = runs_like(store, puzzle, variant, backend);
    if (seen.size() == 1) first = group;
    if (group.size() > 1) groups.push_back(std::move(group));
  }
  if (groups.empty()) groups.push_back(std::move(first));
  return groups;
}

/// The newest plan of the puzzle's tensor program at the sizes of a shape; nothing where there is none.
std::optional<runs::FusionRecord> found_at(const Project& project, const Puzzle& puzzle,
                                           const runs::Sizes& sizes) {
  try {
    runs::FusionRecord record = runs::read_fusion(fusion_file(project, puzzle.declaration.tensor_program));
    if (same_sizes(record.sizes, sizes)) return record;
  } catch (const std::runtime_error&) {
    // Not there, or damaged: the next search writes it anew.
  }
  return std::nullopt;
}

/// What a search found, beside the runs of the puzzle at the real shape.
struct Found {
  std::string command;  ///< that finds it; empty: nothing is to be said
  std::optional<runs::RunRecord> run;
  std::string words;  ///< where it is no run to be ranked with them
};

Found found_beside(const Project& project, const Puzzle& puzzle, const std::vector<runs::RunRecord>& all) {
  Found found;
  const runs::Benchmark* shape = all.empty() ? nullptr : runs::find_benchmark(all.front(), "real");
  const auto timing = shape ? runs::timing_of(*shape, all.front().device) : std::nullopt;
  if (puzzle.declaration.tensor_program.empty() || !timing) return found;
  const auto record = found_at(project, puzzle, shape->sizes);
  found.command = optimize_words(project, puzzle.declaration.tensor_program, shape->sizes);
  if (record) found.run = found_run(*record, *shape, *timing);
  if (!found.run) found.words = found_words(record, *timing, found.command);
  return found;
}

std::string run_line(const runs::RunRecord& run, const std::vector<runs::RunRecord>& all,
                     const Found& found) {
  const std::string name = name_of(run, all), when = ago_text(run.started_at);
  if (run.origin == kFoundBySearch)
    return fmt::format(
        "  {}: by `{}`, {}, {}\n", name, found.command, when,
        run.benchmarks.front().modelled_total_us > 0.0 ? "its time predicted from the plan" : "measured");
  return fmt::format("  {}: run {}, {}, {}\n", name, run.id,
                     runs::is_learner(run.origin)    ? "yours"
                     : runs::is_solution(run.origin) ? "the solution's"
                                                     : run.origin,
                     when);
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
  auto groups = runs_to_compare(*store, puzzle, words, backend_named(backend));
  const std::optional<runs::Sweep> sweep = store->newest_sweep(puzzle.number);
  std::string out =
      paint(Colour::bold, fmt::format("Puzzle {:02}: {}", puzzle.number, puzzle.declaration.title)) + '\n';
  runs::Json shapes = runs::Json::array();
  Found found;
  if (words.empty()) found = found_beside(project, puzzle, groups.front());
  if (found.run) groups.front().push_back(*found.run);
  for (const std::vector<runs::RunRecord>& all : groups) {
    check_enough(all, puzzle);
    if (&all != &groups.front()) out += '\n';
    for (const runs::RunRecord& run : all) out += run_line(run, all, found);
    out += '\n';
    std::vector<Side> last;
    for (const runs::Benchmark& bench : all.front().benchmarks) {
      const std::vector<Side> sides = sides_of(all, bench.name);
      if (sides.size() < 2) continue;
      out += shape_report(sides);
      shapes.push_back(shape_json(sides));
      last = sides;
    }
    if (last.empty())
      throw UsageError("These runs have no shape in common that two of them timed: run them again.");
    std::erase_if(last, [](const Side& side) { return side.run->origin == kFoundBySearch; });
    out += crossings_report(last, sweep);
  }
  if (!found.words.empty()) out += fitted(paint(Colour::bold, "Found by search:") + " " + found.words) + '\n';
  runs::Json whole = {{"puzzle", puzzle.number}, {"shapes", shapes}};
  if (!found.command.empty())
    whole["found"] = {{"command", found.command}, {"ranked", found.run.has_value()}, {"note", found.words}};
  print(json ? runs::dump(whole, 1) + '\n' : fitted(out));
  return kCorrect;
}

}  // namespace workbook::cli
