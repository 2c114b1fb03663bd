// `hint`: the next rung for the first region that is not filled in.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/project/hints.h"
#include "cli/project/progress.h"
#include "cli/project/regions.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// The region a learner is at: the first unfilled one of `regions`; when all hold code, the first of the
/// variant that does not pass yet.
std::string region_at_work(const Project& project, const Puzzle& puzzle,
                           const std::vector<std::string>& asked) {
  std::vector<const VariantInfo*> variants;
  if (!asked.empty())
    variants.push_back(&variant_of(puzzle, asked.front()));
  else
    for (const VariantInfo& variant : puzzle.declaration.variants) variants.push_back(&variant);
  std::vector<Region> regions;
  for (const std::string& file : puzzle.files()) {
    try {
      const std::vector<Region> found = find_regions(read_file(puzzle.folder / file));
      regions.insert(regions.end(), found.begin(), found.end());
    } catch (const std::runtime_error&) {
      // Without the markers there is no telling: the first region of the variant it is.
    }
  }
  for (const VariantInfo* variant : variants)
    for (const std::string& name : variant->regions)
      if (std::any_of(regions.begin(), regions.end(),
                      [&](const Region& r) { return r.name == name && !r.filled; }))
        return name;
  // A file that begins whole has no regions to name: its ladder has the variant's name.
  const auto first = [](const VariantInfo& v) { return v.regions.empty() ? v.name : v.regions.front(); };
  const auto store = records(project);
  const Progress progress = progress_of(project, puzzle, store ? &*store : nullptr);
  for (const VariantProgress& entry : progress.variants)
    if (!entry.done && std::find(variants.begin(), variants.end(), entry.variant) != variants.end())
      return first(*entry.variant);
  return first(*variants.front());
}

std::string rung_text(const Ladder& ladder, std::size_t rung) {
  return fmt::format(
      "{}\n\n{}\n",
      paint(Colour::bold, fmt::format("Hint {} of {} for '{}': {}", rung + 1, ladder.rungs.size(),
                                      ladder.region, ladder.rungs[rung].title)),
      ladder.rungs[rung].text);
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
  const std::string region = region_at_work(project, puzzle, words);
  auto ladder =
      std::find_if(ladders.begin(), ladders.end(), [&](const Ladder& l) { return l.region == region; });
  if (ladder == ladders.end()) ladder = ladders.begin();

  const std::filesystem::path taken_file = project.state() / "hints" / (puzzle.name + "." + ladder->region);
  std::size_t next = 0;
  if (const auto text = read_file_if_any(taken_file);
      text && !text->empty() && std::isdigit(static_cast<unsigned char>(text->front())))
    next =
        std::min<std::size_t>(static_cast<std::size_t>(std::atoi(text->c_str())), ladder->rungs.size() - 1);
  const std::size_t first = all ? 0 : next, last = all ? ladder->rungs.size() - 1 : next;
  runs::Json list = runs::Json::array();
  std::string out;
  for (std::size_t i = first; i <= last; ++i) {
    out += (i > first ? "\n" : "") + rung_text(*ladder, i);
    list.push_back({{"region", ladder->region},
                    {"rung", i + 1},
                    {"of", ladder->rungs.size()},
                    {"title", ladder->rungs[i].title},
                    {"text", ladder->rungs[i].text}});
  }
  if (!all) {
    project.prepare_state();
    write_file(taken_file, std::to_string(next + 1) + "\n");
    const bool more = next + 1 < ladder->rungs.size();
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
