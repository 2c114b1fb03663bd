// Which variant of a sweep is the fastest at which size, as data: what the crossover plot marks.
#pragma once

#include <string>
#include <vector>

#include "runs/sweep.h"

namespace workbook::viewer {

/// A stretch of sizes in which one variant is the fastest.
struct Reign {
  std::string variant;
  double from = 0.0, to = 0.0;  ///< positions, as runs::position_of counts them
  double us = 0.0;              ///< its time at `to`, where the next one overtakes it
};
/// In order of size, without a gap; empty when no size was timed for two variants.
std::vector<Reign> reigns(const runs::Sweep& sweep);

/// "Fused-block is fastest up to 62.4 kB, then unfused".
std::string describe(const runs::Sweep& sweep, const std::vector<Reign>& reigns);

/// A position as it is written: "62.4 kB", "H 64".
std::string format_position(const runs::Sweep& sweep, double position);

}  // namespace workbook::viewer
