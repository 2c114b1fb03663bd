// Says what the wrong elements of a tensor have in common, in words that a learner can act on.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "fingerprint.h"

namespace workbook::core {

/// All that a diagnosis may look at.
struct Suspicion {
  const Tensor& tensor;
  std::vector<std::int64_t> shape;
  const Contents& got;
  std::span<const double> expected;
  Allowed allowed;
  std::vector<std::string> right_before;  ///< tensors checked before this one, which are right
  std::vector<std::pair<std::string, std::vector<double>>> inputs;  ///< by name, as given
  std::vector<std::int64_t> block_threads;                          ///< of the launches, a block each
  bool nan_explained = false;  ///< a finding names an access that explains NaN: then nothing is guessed of it
  bool undefined_values = false;  ///< a shuffle read lanes that were not there: no pattern says anything
  bool threads_ended = false;     ///< at an access that could not be let through: what they left is its trace
  std::vector<std::vector<std::int64_t>> input_shapes = {};  ///< of `inputs`
  std::vector<std::int64_t> sizes = {};                      ///< of the case: distances that an index may go
  /// Who stored an element last, where that is known; empty where nobody knows.
  std::function<std::optional<runs::ThreadId>(std::size_t)> thread_of = {};
};

struct Diagnosis {
  /// One or two sentences, or nothing where no pattern is recognised.
  std::string words;
  /// They say what the values are, or that there are none, and not only which are wrong.
  bool tells_cause = false;
  /// They say where to look, and a cause may stand behind them.
  bool goes_on = false;
};

/// Knows over all puzzles: rows stored with another pitch (stored_apart.h), nothing written (all, a tail,
/// some), all zero, NaN, a copy of an input, shifted by k, transposed, a thread's place in the place of an
/// index (thread_place.h), in another place (moved.h), a constant offset or factor, a short formula
/// (formula.h), only
/// the first block, warp or row right, only the tail wrong, every k-th or some columns wrong, rounded once
/// too often.
Diagnosis diagnose(const Suspicion& suspicion);

}  // namespace workbook::core
