// `derive N`: writes anew what is derived from a puzzle's sources and kept beside them: declared.json (what
// puzzle.cpp declares) and mutants/fingerprints.json (what each mutant's output looks like). For whoever
// writes puzzles. `--check` writes nothing and runs nothing: it tells whether declared.json is what
// puzzle.cpp declares; `mutants` compares the fingerprints.
#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/mutants.h"
#include "cli/compile/declared.h"
#include "cli/project/errors.h"
#include "cli/project/tensor_program.h"
#include "cli/report/terminal.h"
#include "cli/report/text.h"

namespace workbook::cli {
namespace {

void renew(const Project& project, const std::filesystem::path& file, const std::string& text) {
  const bool same = read_file_if_any(file) == text;
  if (!same) write_file(file, text);
  print(fmt::format("{} {}\n", project.shown(file), same ? "is up to date." : "was written."));
}

}  // namespace

int derive_command(const Project& project, const std::string& word, bool check) {
  const Puzzle& puzzle = project.puzzle(word);
  project.prepare_state();
  if (const auto fault = tensor_program_fault(project, puzzle)) {
    print_error(fitted_sentence(project.shown(puzzle.folder / "puzzle.cpp") + ": " + *fault) + '\n');
    return kWrong;
  }
  if (check) {
    const auto file = puzzle.folder / "declared.json";
    const bool same = read_file_if_any(file) == declare(puzzle.folder, project.state());
    print(fmt::format("{} {}\n", project.shown(file), same ? "is up to date." : "is out of date."));
    return same ? kCorrect : kWrong;
  }
  renew(project, puzzle.folder / "declared.json", declare(puzzle.folder, project.state()));
  const std::vector<JudgedMutant> judged = judge_mutants(project, puzzle, Compiled::whole);
  std::string prints;
  int silent = 0;
  for (const JudgedMutant& mutant : judged) {
    if (!mutant.says) continue;
    if (mutant.fingerprint.empty()) {
      print_error(fmt::format("{} {}: {}, and leaves nothing wrong to know it by.\n",
                              paint(Colour::bad, "mutant"), mutant.name, mutant.verdict));
      ++silent;
      continue;
    }
    prints += (prints.empty() ? "\n" : ",\n") + mutant.fingerprint;
  }
  if (!judged.empty())
    renew(project, puzzle.folder / "mutants" / "fingerprints.json", "{\"mutants\": [" + prints + "\n]}\n");
  return silent > 0 ? kWrong : kCorrect;
}

}  // namespace workbook::cli
