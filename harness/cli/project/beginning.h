// What a learner finds in a puzzle's files before anything is written: what `reset` goes back to, and `begin`
// lays out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

/// By the file's name: each file of a variant, and the sheet of answers where there are questions. Throws
/// HarnessError naming what cannot be read.
std::vector<std::pair<std::string, std::string>> beginnings_of(const Project& project, const Puzzle& puzzle);

}  // namespace workbook::cli
