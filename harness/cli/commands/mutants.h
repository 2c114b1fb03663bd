// A puzzle's mutants, run and judged: `mutants` and `derive`.
#pragma once

#include <string>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

struct JudgedMutant {
  std::string name, variant;
  std::string expected;     ///< part of what must be said
  bool says = false;        ///< expected is the mutant's own sentence, known by its fingerprint
  std::string verdict;      ///< of the run
  std::string saw;          ///< the first thing that was said
  std::string fingerprint;  ///< what its output looks like (runs/fingerprints.h); empty: nothing was wrong
  bool told = false;        ///< rejected, with the words expected
};

/// Runs every mutant of the puzzle on the simulator, several at a time. In the order of the file.
std::vector<JudgedMutant> judge_mutants(const Project& project, const Puzzle& puzzle);

}  // namespace workbook::cli
