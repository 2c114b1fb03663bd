// `reset` and `restore`: the only commands that write a learner's file. A copy goes to .workbook/backups
// first, and the command that undoes it is printed.
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "cli/commands/commands.h"
#include "cli/project/errors.h"
#include "cli/project/progress.h"
#include "cli/project/regions.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"

namespace workbook::cli {
namespace {

namespace fs = std::filesystem;

/// A copy of what is there now, under a name that nothing has yet. Empty when there is no file.
fs::path back_up(const Project& project, const Puzzle& puzzle) {
  const auto text = read_file_if_any(puzzle.kernels());
  if (!text) return {};
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", std::localtime(&now));
  const fs::path folder = project.state() / "backups" / puzzle.name;
  fs::path copy = folder / fmt::format("kernels.{}.cu", stamp.data());
  for (int i = 2; fs::exists(copy); ++i) copy = folder / fmt::format("kernels.{}-{}.cu", stamp.data(), i);
  write_file(copy, *text);
  if (read_file(copy) != *text)
    throw HarnessError(copy.string() + " does not hold what was written to it: nothing was changed.");
  return copy;
}

std::string quoted(const std::string& path) {
  return path.find_first_of(" '\"$\\") == std::string::npos ? path : "'" + path + "'";
}

int replace(const Project& project, const Puzzle& puzzle, const std::string& text, const std::string& done) {
  const auto before = read_file_if_any(puzzle.kernels());
  if (before == text) {
    print(project.shown(puzzle.kernels()) + " is like that already: nothing was changed.\n");
    return kCorrect;
  }
  project.prepare_state();
  const fs::path copy = back_up(project, puzzle);
  write_file(puzzle.kernels(), text);
  print(project.shown(puzzle.kernels()) + done + '\n');
  if (!copy.empty())
    print(fmt::format("Undo: cp {} {}\n", quoted(copy.string()), quoted(puzzle.kernels().string())));
  return kCorrect;
}

int ask_for_yes(const std::string& what) {
  throw UsageError(what + " Answer y when asked, or pass --yes: nothing was changed.");
}

}  // namespace

int reset_command(const Project& project, const std::string& word, bool yes) {
  const Puzzle& puzzle = project.puzzle(word);
  std::string skeleton;
  try {
    skeleton = skeleton_of(read_file(puzzle.solved_kernels()));
  } catch (const std::runtime_error& error) {
    throw HarnessError(project.shown(puzzle.solved_kernels()) + ": " + error.what() + ".");
  }
  if (!yes && !confirmed(fmt::format("Put {} back to the skeleton? A copy of yours is kept.",
                                     project.shown(puzzle.kernels()))))
    return ask_for_yes("reset replaces your file (and keeps a copy).");
  return replace(project, puzzle, skeleton, " is the skeleton again.");
}

int restore_command(const Project& project, std::int64_t run, bool yes) {
  const auto store = records(project);
  if (!store || !store->has(run))
    throw UsageError(fmt::format("There is no run {} on record: `workbook history` lists them.", run));
  const runs::RunRecord record = store->load(run);
  const Puzzle* puzzle = project.puzzle_of(record.puzzle);
  if (!puzzle)
    throw UsageError(fmt::format("Run {} is of puzzle {}, which is not here.", run, record.puzzle));
  if (!yes && !confirmed(fmt::format("Put {} back to what run {} ran? A copy of yours is kept.",
                                     project.shown(puzzle->kernels()), run)))
    return ask_for_yes("restore replaces your file (and keeps a copy).");
  return replace(project, *puzzle, record.source, fmt::format(" is what run {} ran.", run));
}

}  // namespace workbook::cli
