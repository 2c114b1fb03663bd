#include "cli/project/beginning.h"

#include "cli/base/errors.h"
#include "cli/base/text.h"
#include "cli/project/answers.h"
#include "cli/project/mutant.h"
#include "cli/project/regions.h"

namespace workbook::cli {

std::string beginning_of(const Project& project, const Puzzle& puzzle, const std::string& file) {
  const std::string solution = read_file(puzzle.solution / file);
  for (const VariantInfo& variant : puzzle.declaration.variants) {
    if (variant.file != file || variant.begins.empty()) continue;
    for (const WrittenMutant& mutant : mutants_of(project, puzzle))
      if (mutant.name == variant.begins) return read_mutant(project, puzzle, mutant).kernels;
    throw HarnessError(project.shown(puzzle.mutants_file()) + " has no mutant '" + variant.begins +
                       "', as which --" + variant.name + " begins.");
  }
  return skeleton_of(solution);
}

std::vector<std::pair<std::string, std::string>> beginnings_of(const Project& project, const Puzzle& puzzle) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& file : puzzle.files()) {
    try {
      files.emplace_back(file, beginning_of(project, puzzle, file));
    } catch (const std::runtime_error& error) {
      throw HarnessError(project.shown(puzzle.solution / file) + ": " + error.what() + ".");
    }
  }
  if (const std::string answers = blank_answers(puzzle.declaration); !answers.empty())
    files.emplace_back(kAnswersFile, answers);
  return files;
}

}  // namespace workbook::cli
