// A mutant: a plausible mistake, kept as a small edit of the solution (puzzles/NN_name/mutants/NAME.edit).
//   says: gamma was never applied: ...       the sentence that whoever makes this mistake reads: found by the
//                                            mutant's fingerprint (harness/core/fingerprint.h)
//   expect: race_shared                      in place of it, where luck decides what comes out: a class of
//   finding, or
//                                            words of a general diagnosis
//   variant: unfused                         the puzzle's first one when absent
//   only: unfused                            in place of `variant`: other variants have the regions, too, and
//                                            the sentence is not for them
//   # a comment
//   @ __global__ void layernorm_kernel       optional: look only from the one line that begins so to the
//   - const float mean = sum / hidden;       next "}" in the first column. The lines to replace, which must
//   + const float mean = sum;                occur exactly once; by what: nothing deletes them.
// Indentation and what ends a line do not count in '-' lines. A blank line, '@', or '-' after '+' begins the
// next hunk; each is applied to what the one before has left.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace workbook::cli {

struct Mutant {
  std::string expect;  ///< part of what a learner must be told
  bool says = false;   ///< expect is the mutant's own sentence
  std::string variant;
  std::string kernels;  ///< the solution with the mistake in it
  /// That it changes; empty where it changes lines outside of regions, too, or is of its variant alone.
  std::vector<std::string> regions;
};

/// What `variant:` or `only:` says; empty where both are absent.
std::string variant_named_in(std::string_view edit);

/// `shown` is the name of the edit in error messages, `variants` what `variant:` may say. Throws HarnessError
/// with file and line.
Mutant read_mutant(const std::string& shown, std::string_view edit, std::string_view solution,
                   const std::vector<std::string>& variants);

}  // namespace workbook::cli
