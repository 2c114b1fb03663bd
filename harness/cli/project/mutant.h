// Mutants: plausible mistakes, each kept as a small edit of the solution. A puzzle's stand in one file,
// puzzles/NN_name/mutants.md, a section each:
//
// clang-format off
//   ## gamma_forgotten
//
//   Free text says what needs saying to whoever reads the file.
//
//   - says: gamma was never applied: ...       the sentence that whoever makes this mistake reads: found by the
//                                              mutant's fingerprint (harness/core/fingerprint.h)
//   - expect: race_shared                      in its place, where luck decides what comes out: a class of finding, or
//                                              words of a general diagnosis
//   - variant: unfused                         the puzzle's first one when absent
//   - only: unfused                            in place of `variant`: other variants have the regions, too, and the
//                                              sentence is not for them
//   ```diff
//   @ __global__ void layernorm_kernel         optional: look only from the one line that begins so to the next "}" in
//   - const float mean = sum / hidden;         the first column. The lines to replace, which must occur exactly once;
//   + const float mean = sum;                  by what: nothing deletes them.
//   ```
// clang-format on
//
// Indentation and what ends a line do not count in '-' lines of the edit. A blank line, '@', or '-' after '+'
// begins the next hunk; each is applied to what the one before has left. '#' begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/project/project.h"

namespace workbook::cli {

/// A section of mutants.md.
struct WrittenMutant {
  std::string name;
  std::size_t line = 0;            ///< of its heading, from 1
  std::vector<std::string> lines;  ///< below it
  std::string variant;             ///< what `variant:` or `only:` says; empty where both are absent
};

struct Mutant {
  std::string expect;  ///< part of what a learner must be told
  bool says = false;   ///< expect is the mutant's own sentence
  std::string variant;
  std::string kernels;  ///< the solution with the mistake in it
  /// That it changes; empty where it changes lines outside of regions, too, or is of its variant alone.
  std::vector<std::string> regions;
};

/// `shown` is the name of the file in error messages. Throws HarnessError with file and line.
std::vector<WrittenMutant> split_mutants(const std::string& shown, std::string_view text);
/// `variants`: what `variant:` may say. Throws HarnessError with file and line.
Mutant read_mutant(const std::string& shown, const WrittenMutant& written, std::string_view solution,
                   const std::vector<std::string>& variants);

/// The puzzle's, in the order of the file; none where there is no file.
std::vector<WrittenMutant> mutants_of(const Project& project, const Puzzle& puzzle);
/// The solution that it edits is the file of its variant.
Mutant read_mutant(const Project& project, const Puzzle& puzzle, const WrittenMutant& written);

}  // namespace workbook::cli
