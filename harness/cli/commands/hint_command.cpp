// `hint`: the next rung for the region that the learner is at; `--all`: every rung of the variant.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/failing_region.h"
#include "cli/project/hints.h"
#include "cli/project/progress.h"
#include "cli/project/regions.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

using Record = std::optional<runs::RunRecord>;

/// The learner's newest run of the puzzle, of one variant where one is given.
Record newest_run(const std::optional<runs::Store>& store, const Puzzle& puzzle, const std::string& variant) {
  if (!store) return std::nullopt;
  runs::RunFilter filter;
  filter.puzzle = puzzle.number;
  filter.origin = runs::kLearner;
  if (!variant.empty()) filter.variant = variant;
  try {
    if (const auto found = store->newest(filter)) return store->load(found->id);
  } catch (const runs::StoreError&) {  // written by another version
  }
  return std::nullopt;
}

bool failed(const Record& run) { return run && run->verdict != runs::Verdict::correct; }

/// Regions of the variant that hold no code yet in the file as it is now.
std::vector<Region> empty_regions(const Puzzle& puzzle, const VariantInfo& variant) {
  return unfilled_regions(read_file_if_any(puzzle.file(variant)).value_or(""), variant.regions);
}

/// The variant that a learner is at: the one that is asked for, else that of the newest run where it failed,
/// else the first with an empty region, else the first that is not done.
const VariantInfo& variant_at_work(const Puzzle& puzzle, const std::vector<std::string>& asked,
                                   const std::optional<runs::Store>& store, const Progress& progress) {
  if (!asked.empty()) return variant_of(puzzle, asked.front());
  if (const Record newest = newest_run(store, puzzle, ""); failed(newest))
    if (const VariantInfo* variant = puzzle.find_variant(newest->variant)) return *variant;
  for (const VariantInfo& variant : puzzle.declaration.variants)
    if (!empty_regions(puzzle, variant).empty()) return variant;
  for (const VariantProgress& entry : progress.variants)
    if (!entry.done) return *entry.variant;
  return puzzle.first_variant();
}

/// What the ladders of a variant are called. A file that begins whole has no regions to name: its ladder has
/// the variant's name.
std::vector<std::string> names_of(const VariantInfo& variant) {
  return variant.regions.empty() ? std::vector{variant.name} : variant.regions;
}

/// The region of the variant that a learner is at: the first empty one; when all hold code, the one that its
/// newest run failed at, as far as that tells, else the first that is not in a solved variant; else its
/// first.
std::string region_at_work(const Puzzle& puzzle, const VariantInfo& variant,
                           const std::optional<runs::Store>& store, const Progress& progress) {
  if (variant.regions.empty()) return variant.name;
  const std::vector<Region> empty = empty_regions(puzzle, variant);
  for (const std::string& name : variant.regions)
    if (std::any_of(empty.begin(), empty.end(), [&](const Region& region) { return region.name == name; }))
      return name;
  if (const Record run = newest_run(store, puzzle, variant.name); failed(run)) {
    const auto fingerprints = read_file_if_any(puzzle.fingerprints_file());
    if (std::string region = failing_region(*run, variant, fingerprints.value_or("")); !region.empty())
      return region;
    std::vector<std::string> solved;
    for (const VariantProgress& entry : progress.variants)
      if (entry.done) solved.push_back(entry.variant->name);
    return likeliest_region(variant, puzzle.declaration.variants, solved);
  }
  return variant.regions.front();
}

struct At {
  const VariantInfo* variant;
  std::string region;
};

At at_work(const Project& project, const Puzzle& puzzle, const std::vector<std::string>& asked) {
  const auto store = records(project);
  const Progress progress = progress_of(project, puzzle, store ? &*store : nullptr);
  const VariantInfo& variant = variant_at_work(puzzle, asked, store, progress);
  return {&variant, region_at_work(puzzle, variant, store, progress)};
}

std::string rung_text(const Ladder& ladder, std::size_t rung) {
  return fmt::format(
      "{}\n\n{}\n",
      paint(Colour::bold, fmt::format("Hint {} of {} for '{}': {}", rung + 1, ladder.rungs.size(),
                                      ladder.region, ladder.rungs[rung].title)),
      trimmed(unwrapped(ladder.rungs[rung].text)));
}

}  // namespace

int hint_command(const Project& project, const std::string& word, const std::vector<std::string>& words,
                 bool all, bool json) {
  const Puzzle& puzzle = word.empty() ? project.current() : project.puzzle(word);
  std::vector<Ladder> ladders;
  try {
    ladders = read_hints(read_file(puzzle.folder / "hints.md"));
  } catch (const std::runtime_error& error) {
    throw HarnessError(project.shown(puzzle.folder / "hints.md") + ": " + error.what());
  }
  if (ladders.empty()) throw HarnessError(project.shown(puzzle.folder / "hints.md") + " has no hints.");
  const At at = at_work(project, puzzle, words);
  runs::Json list = runs::Json::array();
  std::string out;
  const auto tell = [&](const Ladder& ladder, std::size_t rung) {
    out += (out.empty() ? "" : "\n") + rung_text(ladder, rung);
    list.push_back({{"region", ladder.region},
                    {"rung", rung + 1},
                    {"of", ladder.rungs.size()},
                    {"title", ladder.rungs[rung].title},
                    {"text", ladder.rungs[rung].text}});
  };
  if (all) {
    for (const Ladder& ladder : ladders_of(ladders, names_of(*at.variant)))
      for (std::size_t rung = 0; rung < ladder.rungs.size(); ++rung) tell(ladder, rung);
  } else {
    const Ladder ladder = ladders_of(ladders, {at.region}).front();
    const std::filesystem::path taken_file = project.state() / "hints" / (puzzle.name + "." + ladder.region);
    std::size_t next = 0;
    if (const auto text = read_file_if_any(taken_file);
        text && !text->empty() && std::isdigit(static_cast<unsigned char>(text->front())))
      next =
          std::min<std::size_t>(static_cast<std::size_t>(std::atoi(text->c_str())), ladder.rungs.size() - 1);
    tell(ladder, next);
    project.prepare_state();
    write_file(taken_file, std::to_string(next + 1) + "\n");
    const bool more = next + 1 < ladder.rungs.size();
    out +=
        '\n' +
        paint(Colour::dim,
              more ? "The same command again gives the next hint."
                   : fmt::format("That was the last one. `workbook solution {} --show` shows the solution.",
                                 puzzle.number)) +
        '\n';
  }
  print(json ? runs::dump(list, 1) + '\n' : fitted(out));
  return kCorrect;
}

}  // namespace workbook::cli
