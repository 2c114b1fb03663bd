// What a run did over time, as lanes of bars: NVTX's ranges, the host's calls, the work of each stream. For
// the Timeline panel.
#pragma once

#include <string>
#include <vector>

#include "runs/timeline.h"

namespace workbook::viewer {

struct TimelineBar {
  enum class Kind { range, call, wait, work, overhead, mark };
  Kind kind = Kind::call;
  double begin_us = 0.0, end_us = 0.0;  ///< a mark ends where it begins
  std::string name;                     ///< "launch linear", "copy", "step 3"
  std::string work;  ///< what the device does for it, as KernelColours knows it; may be empty
  std::string more;  ///< a second line of what is said of it; may be empty
};

/// A row of bars in the order in which they begin; none overlaps another.
struct TimelineLane {
  std::string label;  ///< empty for inner ranges
  std::vector<TimelineBar> bars;
  bool device = false;
};

/// From the end of a call to the begin of its work; from that moment where the call waits for it.
struct TimelineArrow {
  std::size_t from_lane = 0, to_lane = 0;
  double from_us = 0.0, to_us = 0.0;
};

struct Timeline {
  std::vector<TimelineLane>
      lanes;  ///< the host's threads, each with its ranges above its calls, then streams
  std::vector<TimelineArrow> arrows;
  double begin_us = 0.0, end_us = 0.0;
  double busy = 0.0;     ///< share of the time in which the device works
  bool program = false;  ///< it has calls; else it is launches one after another, as they were timed
  bool empty() const { return lanes.empty(); }
};

/// `device`: of the run, for where its times come from.
Timeline make_timeline(const runs::Benchmark& benchmark, const std::string& device);

/// Where the device's time goes, most first: a program's as the terminal has it; of single launches by
/// kernel, and what starting them costs as a row of its own.
std::vector<runs::ProfileRow> timeline_profile(const runs::Benchmark& benchmark, const std::string& device);

/// Of a run the benchmark to show: a program's calls, else that of this name; null: it has neither.
const runs::Benchmark* timeline_benchmark(const runs::RunRecord& run, const std::string& name);

/// The first bar that ends after `us`, as an index; bars.size(): none.
std::size_t first_after(const TimelineLane& lane, double us);

}  // namespace workbook::viewer
