// `reset` and `restore`: the only commands that write a learner's file. A copy goes to .workbook/backups
// first, and the command that undoes it is printed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/beginning.h"
#include "cli/project/progress.h"
#include "cli/project/regions.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// A copy of what is there now, under a name that nothing has yet. Empty when there is no file.
fs::path back_up(const Project& project, const Puzzle& puzzle, const fs::path& file) {
  const auto text = read_file_if_any(file);
  if (!text) return {};
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  const fs::path folder = project.state() / "backups" / puzzle.name;
  const std::string stem = file.stem().string(), end = file.extension().string();
  fs::path copy = folder / fmt::format("{}.{}{}", stem, stamp.data(), end);
  for (int i = 2; fs::exists(copy); ++i)
    copy = folder / fmt::format("{}.{}-{}{}", stem, stamp.data(), i, end);
  write_file(copy, *text);
  if (read_file(copy) != *text)
    throw HarnessError(copy.string() + " does not hold what was written to it: nothing was changed.");
  return copy;
}

std::string quoted(const std::string& path) {
  return path.find_first_of(" '\"$\\") == std::string::npos ? path : "'" + path + "'";
}

void replace(const Project& project, const Puzzle& puzzle, const fs::path& file, const std::string& text,
             const std::string& done) {
  const auto before = read_file_if_any(file);
  if (before == text) return print(project.shown(file) + " is like that already: nothing was changed.\n");
  project.prepare_state();
  const fs::path copy = back_up(project, puzzle, file);
  write_file(file, text);
  print(project.shown(file) + done + '\n');
  if (!copy.empty()) print(fmt::format("Undo: cp {} {}\n", quoted(copy.string()), quoted(file.string())));
}

/// What `restore` writes, and how it is called.
struct Restored {
  std::string text, what;
  std::string note;  ///< on what else there is in the file; empty where it is all one variant's
};

/// The variant as it was, and others that share its file as they are. All of the file where that is asked
/// for, or where what is there now cannot be told apart.
Restored restored_source(const Puzzle& puzzle, const VariantInfo& variant, const std::string& past,
                         const std::optional<std::string>& now, bool whole) {
  const auto& all = puzzle.declaration.variants;
  const bool shared = std::any_of(all.begin(), all.end(), [&](const VariantInfo& each) {
    return each.file == variant.file && each.regions != variant.regions;
  });
  if (whole || !shared || !now || variant.regions.empty()) return {past, "all of it", ""};
  const auto text = with_others_kept(past, *now, variant.regions);
  if (!text) return {past, "all of it", " The regions of the two are not the same ones."};
  const bool around = skeleton_of(past) != skeleton_of(*now);
  return {*text, "--" + variant.name,
          std::string(" The regions of the other variants stay as they were") +
              (around ? "; the lines outside of all regions are that run's." : ".")};
}

int ask_for_yes(const std::string& what) {
  throw UsageError(what + " Answer y when asked, or pass --yes: nothing was changed.");
}

}  // namespace

int reset_command(const Project& project, const std::string& word, bool yes) {
  const Puzzle& puzzle = project.puzzle(word);
  std::vector<std::pair<fs::path, std::string>> skeletons;
  std::string names;
  for (const auto& [file, text] : beginnings_of(project, puzzle))
    skeletons.emplace_back(puzzle.own / file, text);
  for (const auto& [file, text] : skeletons) names += (names.empty() ? "" : ", ") + project.shown(file);
  if (!yes && !confirmed(fmt::format("Put {} back to the skeleton? A copy of yours is kept.", names)))
    return ask_for_yes("reset replaces your file (and keeps a copy).");
  for (const auto& [file, text] : skeletons) replace(project, puzzle, file, text, " is the skeleton again.");
  return kCorrect;
}

int restore_command(const Project& project, std::int64_t run, bool whole, bool yes) {
  const auto store = records(project);
  if (!store || !store->has(run))
    throw UsageError(fmt::format("There is no run {} on record: `workbook history` lists them.", run));
  const runs::RunRecord record = store->load(run);
  const Puzzle* puzzle = project.puzzle_of(record.puzzle);
  if (!puzzle)
    throw UsageError(fmt::format("Run {} is of puzzle {}, which is not here.", run, record.puzzle));
  const VariantInfo& variant = variant_of(*puzzle, record.variant);
  const fs::path file = puzzle->file(variant);
  const Restored restored = restored_source(*puzzle, variant, record.source, read_file_if_any(file), whole);
  if (!yes && !confirmed(fmt::format("Put {} in {} back to what run {} ran? A copy of your file is kept.",
                                     restored.what, project.shown(file), run)))
    return ask_for_yes("restore changes your file (and keeps a copy).");
  replace(project, *puzzle, file, restored.text,
          fmt::format(": {} is what run {} ran.{}", restored.what, run, restored.note));
  return kCorrect;
}

}  // namespace workbook::cli
