// `reset` and `restore`: the only commands that write a learner's file. A copy goes to .workbook/backups
// first, and the command that undoes it is printed.
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/answers.h"
#include "cli/project/mutant.h"
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

/// What a learner finds in the file: a mutant where the puzzle is to repair it, else the solution without its
/// regions.
std::string beginning_of(const Project& project, const Puzzle& puzzle, const std::string& file) {
  const std::string solution = read_file(puzzle.solution / file);
  for (const VariantInfo& variant : puzzle.declaration.variants) {
    if (variant.file != file || variant.begins.empty()) continue;
    const fs::path edit = puzzle.folder / "mutants" / (variant.begins + ".edit");
    return read_mutant(project.shown(edit), read_file(edit), solution, puzzle.variant_names()).kernels;
  }
  return skeleton_of(solution);
}

int ask_for_yes(const std::string& what) {
  throw UsageError(what + " Answer y when asked, or pass --yes: nothing was changed.");
}

}  // namespace

int reset_command(const Project& project, const std::string& word, bool yes) {
  const Puzzle& puzzle = project.puzzle(word);
  std::vector<std::pair<fs::path, std::string>> skeletons;
  std::string names;
  for (const std::string& file : puzzle.files()) {
    try {
      skeletons.emplace_back(puzzle.folder / file, beginning_of(project, puzzle, file));
    } catch (const std::runtime_error& error) {
      throw HarnessError(project.shown(puzzle.solution / file) + ": " + error.what() + ".");
    }
  }
  if (const std::string answers = blank_answers(puzzle.declaration); !answers.empty())
    skeletons.emplace_back(puzzle.folder / kAnswersFile, answers);
  for (const auto& [file, text] : skeletons) names += (names.empty() ? "" : ", ") + project.shown(file);
  if (!yes && !confirmed(fmt::format("Put {} back to the skeleton? A copy of yours is kept.", names)))
    return ask_for_yes("reset replaces your file (and keeps a copy).");
  for (const auto& [file, text] : skeletons) replace(project, puzzle, file, text, " is the skeleton again.");
  return kCorrect;
}

int restore_command(const Project& project, std::int64_t run, bool yes) {
  const auto store = records(project);
  if (!store || !store->has(run))
    throw UsageError(fmt::format("There is no run {} on record: `workbook history` lists them.", run));
  const runs::RunRecord record = store->load(run);
  const Puzzle* puzzle = project.puzzle_of(record.puzzle);
  if (!puzzle)
    throw UsageError(fmt::format("Run {} is of puzzle {}, which is not here.", run, record.puzzle));
  const fs::path file = puzzle->file(variant_of(*puzzle, record.variant));
  if (!yes && !confirmed(fmt::format("Put {} back to what run {} ran? A copy of yours is kept.",
                                     project.shown(file), run)))
    return ask_for_yes("restore replaces your file (and keeps a copy).");
  replace(project, *puzzle, file, record.source, fmt::format(" is what run {} ran.", run));
  return kCorrect;
}

}  // namespace workbook::cli
