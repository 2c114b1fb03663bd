// A sweep: variants of a puzzle timed over a range of sizes, for the size at which one overtakes another.
// Kept in the store in a table of its own, not as runs: nothing is checked at these sizes, and a comparison
// of two runs must never pick one of them up. JSON both ways in json.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

/// One variant at one size.
struct SweepPoint {
  std::string variant;
  Sizes sizes;
  std::int64_t bytes = 0;       ///< of the puzzle's inputs and outputs, the same for every variant
  std::int64_t dram_bytes = 0;  ///< moved by all launches; 0 when not counted
  double flops = 0.0;
  double median_us = 0.0;  ///< 0: not timed, `note` says why
  double low_us = 0.0;     ///< p10; equal to the median when modelled
  double high_us = 0.0;    ///< p90
  std::string note;
  bool timed() const { return median_us > 0.0; }
};

struct Sweep {
  std::int64_t id = 0;     ///< given by the store
  std::string started_at;  ///< UTC, ISO 8601
  int puzzle = 0;
  std::string puzzle_name, puzzle_title;
  std::string origin;  ///< "learner" or "solution"
  Backend backend = Backend::none;
  std::string device;     ///< "H200" (modelled) or "NVIDIA H200" (measured)
  std::string dimension;  ///< the one that varies; empty: all, from the teaching to the real shape
  std::vector<std::string> variants;  ///< as they are compared: each with the first
  bool complete = false;              ///< false: it was stopped, or still goes on
  std::vector<SweepPoint> points;     ///< by size, then by variant
  bool measured() const { return backend == Backend::cuda; }
};

/// How large a point is: the size of the dimension that varies, or the bytes of its tensors.
double position_of(const Sweep& sweep, const SweepPoint& point);

/// What was timed of one variant, by growing position.
std::vector<const SweepPoint*> timed_points(const Sweep& sweep, const std::string& variant);

/// Where two variants change places, interpolated between two sizes on logarithmic axes.
struct Crossing {
  std::string faster_below, faster_above;
  double position = 0.0;
  double us = 0.0;
  Sizes below, above;  ///< the neighbouring sizes that were timed
};
/// In order of size; sizes that only one of them was timed at do not count.
std::vector<Crossing> crossings(const Sweep& sweep, const std::string& a, const std::string& b);

/// Whether no size that both were timed at tells the two apart: modelled times within kModelError, measured
/// ones whose spreads overlap.
bool are_alike(const Sweep& sweep, const std::string& a, const std::string& b);

}  // namespace workbook::runs
