// How many turns over the banks of shared memory an access takes by its width alone. For whatever says
// passes: metrics.cpp and the simulator's advice.
#pragma once

#include <cstdint>

#include "runs/record.h"

namespace workbook::runs {

/// Turns over the banks that one pass of `site` takes: 1, or 2 and 4 where the lanes of whole warps have 8
/// and 16 bytes each, which go by halves and quarters of a warp.
inline std::int64_t turns_a_pass(const SiteCounters& site) {
  const std::int64_t of_words = 128 * site.requests;  // a word a lane
  const std::int64_t nearest = of_words == 0 ? 1 : (site.bytes + of_words / 2) / of_words;
  return nearest > 1 ? nearest : 1;
}

}  // namespace workbook::runs
