// What a learner finds in a puzzle's files before anything is written: what `reset` goes back to, and `begin`
// lays out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

/// Of one file of a variant: a mutant where the puzzle is to repair it, else the solution without its
/// regions. Throws HarnessError where there is no such mutant.
std::string beginning_of(const Project& project, const Puzzle& puzzle, const std::string& file);

/// By the file's name: each file of a variant, and the sheet of answers where there are questions. Throws
/// HarnessError naming what cannot be read.
std::vector<std::pair<std::string, std::string>> beginnings_of(const Project& project, const Puzzle& puzzle);

}  // namespace workbook::cli
