// The words that variables without a value are given (workbook_sim/unset.h), as the engine sees them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/source/pc.h"

namespace workbook::sim {

/// workbook::sim::kUnsetWords, and what every word is but when a launch runs again.
inline constexpr unsigned int kUnsetWordsInAll = 16384;
inline constexpr std::int32_t kUnsetWord = -17, kOtherWord = 76;

/// workbook::sim::kUndefinedResults, whose words are the last.
inline constexpr std::size_t kUndefinedKinds = 3;

/// Whether launches are run again with other words (replay.h).
bool replays();

/// workbook_sim_undefined_result().
std::int32_t undefined_result(unsigned int what, Pc pc);
/// Where it was called last.
Pc undefined_result_at(unsigned int what);

}  // namespace workbook::sim
