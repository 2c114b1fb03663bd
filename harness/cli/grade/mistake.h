// Under which name a wrong answer is counted: a class's commonest mistakes.
#pragma once

#include <string>

#include "cli/project/project.h"
#include "runs/record.h"

namespace workbook::cli {

struct Mistake {
  std::string name;  ///< a mutant's, a class of findings, or the verdict; empty: it is right
  std::string says;  ///< what whoever made it is told, one sentence
};

Mistake mistake_of(const Project& project, const Puzzle& puzzle, const runs::RunRecord& record);

}  // namespace workbook::cli
