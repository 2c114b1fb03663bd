// A puzzle's mutants, run and judged: `mutants` and `derive`.
#pragma once

#include <string>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

struct JudgedMutant {
  std::string name, variant;
  std::string expected;  ///< part of what must be said
  bool says = false;     ///< expected is the mutant's own sentence, known by its fingerprint
  runs::Verdict verdict = runs::Verdict::none;  ///< of the run
  std::string saw;                              ///< the first thing that was said
  std::string fingerprint;  ///< what its output looks like (runs/fingerprints.h); empty: nothing was wrong
  bool told = false;        ///< rejected, with the words expected
};

/// What is compiled of a mutant: all of it, as of a learner's file, or what differs from the solution
/// (compile/edited_build.h), which takes less. Fingerprints are derived from the first, and CI compares those
/// of the second with them.
enum class Compiled { whole, differences };

/// Runs every mutant of the puzzle on the simulator, several at a time. In the order of the file.
std::vector<JudgedMutant> judge_mutants(const Project& project, const Puzzle& puzzle, Compiled compiled);

}  // namespace workbook::cli
