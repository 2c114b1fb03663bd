// puzzles/NN_name/fingerprints.json: what the outputs of a puzzle's mutants look like
// (harness/core/fingerprint.h), a line a mutant. Where was probed stands once: most mutants of a puzzle are
// probed at the same places.
#pragma once

#include <string>

#include "runs/json.h"

namespace workbook::runs {

/// `mutants` is an array of entries as core::to_text writes them.
std::string packed_fingerprints(const Json& mutants);

/// That array again. Throws std::runtime_error for text that is no such file.
Json unpacked_fingerprints(const std::string& text);

}  // namespace workbook::runs
