// What `compare` prints: the variants of a puzzle side by side at a shape, best first, why they differ, and
// where that ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/json.h"
#include "runs/sweep.h"
#include "runs/timing.h"

namespace workbook::cli {

/// One run at one shape.
struct Side {
  const runs::RunRecord* run = nullptr;
  const runs::Benchmark* bench = nullptr;
  runs::Contestant contestant;
};

/// The runs that were timed at the shape `name` with the sizes of the first of them, the fastest first; those
/// without a time last.
std::vector<Side> sides_of(const std::vector<runs::RunRecord>& runs, const std::string& name);

/// The shape's table, and for each side after the first why it is behind, against the first of `runs`.
std::string shape_report(const std::vector<Side>& sides);
runs::Json shape_json(const std::vector<Side>& sides);

/// Where one of the variants overtakes another, by the newest sweep; without one, how to make it. A sweep of
/// another device than that of `sides` is said to be one.
std::string crossings_report(const std::vector<Side>& sides, const std::optional<runs::Sweep>& sweep);

/// "--fused"; where two runs have one variant, "run 7"; of what a search found "found".
std::string name_of(const runs::RunRecord& run, const std::vector<runs::RunRecord>& all);

}  // namespace workbook::cli
