// `derive N`: writes anew what is derived from a puzzle's sources and kept beside them: declared.json (what
// puzzle.cpp declares) and fingerprints.json (what each mutant's output looks like). For whoever
// writes puzzles. `--check` writes nothing and runs nothing: it tells whether declared.json is what
// puzzle.cpp declares; `mutants` compares the fingerprints. `--declaration` runs no mutant: for a change of
// puzzle.cpp after which every output is what it was.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "cli/base/errors.h"
#include "cli/base/terminal.h"
#include "cli/base/text.h"
#include "cli/commands/commands.h"
#include "cli/commands/mutants.h"
#include "cli/project/declared.h"
#include "cli/project/tensor_program.h"
#include "optimizer/language/text.h"
#include "runs/fingerprints.h"
#include "runs/json.h"

namespace workbook::cli {
namespace {

/// Nothing where there is none that can be read.
std::optional<opt::Program> program_of(const Project& project, const std::string& name) {
  const std::optional<std::string> text = read_file_if_any(programs_folder(project) / (name + ".wbp"));
  if (text) try {
      return opt::parse_program(*text, name + ".wbp");
    } catch (const opt::TextError&) {
      // `workbook optimize` says what is wrong with it.
    }
  return std::nullopt;
}

/// What is wrong with the program that a puzzle names, a sentence: it is not there, or its indices are not
/// the puzzle's dimensions. Nothing where it names none.
std::optional<std::string> tensor_program_fault(const Project& project, const Puzzle& puzzle) {
  const std::string& name = puzzle.declaration.tensor_program;
  if (name.empty()) return std::nullopt;
  const std::optional<opt::Program> program = program_of(project, name);
  if (!program)
    return fmt::format("There is no program '{}'.{}", name,
                       did_you_mean(name, opt::program_names(programs_folder(project))));
  if (puzzle.declaration.tasks.size() != 1) return "Only a puzzle with one task names a tensor program.";
  std::map<std::string, std::int64_t> own = by_name(puzzle.declaration.tasks.front().bench);
  for (const opt::Index& index : program->graph.indices)
    if (own.erase(index.name) == 0)
      return fmt::format("The program {} has an index {}, which is no dimension of the puzzle.", name,
                         index.name);
  if (!own.empty())
    return fmt::format("The program {} has no index {}, which is a dimension of the puzzle.", name,
                       own.begin()->first);
  return std::nullopt;
}

void renew(const Project& project, const std::filesystem::path& file, const std::string& text) {
  const bool same = read_file_if_any(file) == text;
  if (!same) write_file(file, text);
  print(fmt::format("{} {}\n", project.shown(file), same ? "is up to date." : "was written."));
}

}  // namespace

int derive_command(const Project& project, const std::string& word, bool check, bool declaration_alone) {
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
  if (declaration_alone) return kCorrect;
  const std::vector<JudgedMutant> judged = judge_mutants(project, puzzle, Compiled::whole);
  runs::Json prints = runs::Json::array();
  int silent = 0;
  for (const JudgedMutant& mutant : judged) {
    if (!mutant.says) continue;
    if (mutant.fingerprint.empty()) {
      print_error(fmt::format("{} {}: {}, and leaves nothing wrong to know it by.\n",
                              paint(Colour::bad, "mutant"), mutant.name, word_of(mutant.verdict)));
      ++silent;
      continue;
    }
    prints.push_back(runs::parse_json(mutant.fingerprint));
  }
  if (!judged.empty()) renew(project, puzzle.fingerprints_file(), runs::packed_fingerprints(prints));
  return silent > 0 ? kWrong : kCorrect;
}

}  // namespace workbook::cli
