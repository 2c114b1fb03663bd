// What the calls of a program tell: the words that a puzzle's rules are matched with, NVTX's ranges, and the
// profile by kernel and by range. Terminal, export and viewer ask here.
#pragma once

#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::runs {

/// "push:step_0 launch:gelu_kernel wait pop ": a word a call, a space behind each (puzzle.h, Calls).
std::string call_words(const std::vector<HostCall>& calls);
/// The same by stream, in each the work that it was given and the waits for it, in their order: "@0
/// launch:gelu_kernel @1 copy_async
/// ".
std::string stream_words(const std::vector<HostCall>& calls);

/// From a push to its pop, or to the last call where it has none.
struct HostRange {
  std::string name;
  std::int64_t thread = 0;
  int depth = 0;  ///< ranges around it
  double begin_us = 0.0, end_us = 0.0;
  std::size_t first = 0, last = 0;  ///< of the calls
  double device_us = 0.0;           ///< what the work took that was given in it
  std::int64_t launches = 0;
  bool closed = true;
};
/// In the order in which they begin.
std::vector<HostRange> ranges_of(const std::vector<HostCall>& calls);

/// A row of a profile: the same kernel, or ranges of the same name.
struct ProfileRow {
  std::string name;
  std::int64_t calls = 0;
  double total_us = 0.0, min_us = 0.0, max_us = 0.0;
  double share = 0.0;         ///< kernels: of all the device's work
  double device_us = 0.0;     ///< ranges: of the work that was given in them
  std::int64_t launches = 0;  ///< ranges: in all of them
  int depth = 0;              ///< ranges: the most that they have around them
  double average_us() const { return calls == 0 ? 0.0 : total_us / static_cast<double>(calls); }
};

/// By kernel, copies and fills too, most time first. Of a puzzle that is no program: each launch of the
/// benchmark.
std::vector<ProfileRow> kernel_profile(const Benchmark& benchmark, const std::string& device);
/// By name, a final number left off ("step 3" is a step); outer ranges before inner ones.
std::vector<ProfileRow> range_profile(const std::vector<HostCall>& calls);

/// From the first call to the end of the last work.
double program_us(const std::vector<HostCall>& calls);
/// That share of it during which the device did something, 0 to 1.
double device_busy(const std::vector<HostCall>& calls);

}  // namespace workbook::runs
