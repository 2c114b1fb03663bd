// `complete WORDS...`: what may follow on a command line. `activate` asks it for bash and zsh; nobody types
// it.
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/project/mutant.h"

namespace workbook::cli {
namespace {

/// Of a puzzle, wherever it stands among the words after the verb.
const Puzzle* puzzle_among(const Project& project, const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with('-')) continue;
    try {
      return &project.puzzle(words[i]);
    } catch (const std::exception&) {
      continue;  // a word of another kind: a completion that fails says nothing
    }
  }
  return nullptr;
}

}  // namespace

int complete_command(const std::vector<std::string>& verbs, const std::vector<std::string>& words) {
  std::vector<std::string> choices;
  if (words.empty()) {
    choices = verbs;
  } else {
    try {
      const Project project = Project::open(Project::For::anyone);
      if (const Puzzle* puzzle = puzzle_among(project, words); puzzle && words.back() == "--show") {
        for (const WrittenMutant& mutant : mutants_of(project, *puzzle)) choices.push_back(mutant.name);
      } else if (puzzle) {
        if (puzzle->fault.empty())
          for (const std::string& name : puzzle->variant_names()) choices.push_back("--" + name);
      } else {
        for (const Puzzle& each : project.puzzles()) choices.push_back(std::to_string(each.number));
      }
    } catch (const std::exception&) {
      return 0;  // outside of a repository there is nothing to offer, and nobody to tell
    }
  }
  print(choices.empty() ? "" : joined(choices, "\n") + '\n');
  return 0;
}

}  // namespace workbook::cli
