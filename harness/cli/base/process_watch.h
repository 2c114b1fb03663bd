// Looks at a running process and says whether it has had enough; for those who supervise one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "cli/base/process.h"

namespace workbook::cli {

/// Whether all processes that are watched now together hold more memory than the limits allow, and this one
/// most of it. `alone`: it would be so without the others.
bool out_of_memory(pid_t process, const ProcessLimits& limits, bool& alone);
/// After the last call of out_of_memory() for a process.
void no_longer_watched(pid_t process);

/// The limit of time of one process that starts now.
class TimeWatch {
 public:
  explicit TimeWatch(const ProcessLimits& limits);
  /// Whether it is reached. Asked many times a second.
  bool is_over(pid_t process);

 private:
  using Clock = std::chrono::steady_clock;
  const ProcessLimits& limits_;
  Clock::time_point since_ = Clock::now();    ///< the latest progress
  std::chrono::milliseconds used_before_{0};  ///< processor time until then
  std::uint64_t seen_ = 0;                    ///< of the work that it counts
  Clock::time_point looked_{};
  int looks_ = 0, at_work_ = 0;  ///< since then; those that found it at work or waiting its turn
};

/// Says SIGTERM to a process and what belongs to its group, or to what it confines.
void tell_to_end(pid_t process, const ProcessLimits& limits);

/// A line on the terminal while a process takes longer than people wait without asking: the kernel that it is
/// in, and how many of its blocks are done.
class ProgressLine {
 public:
  explicit ProgressLine(const ProcessLimits& limits) : limits_(limits) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Asked many times a second.
  void look();

 private:
  using Clock = std::chrono::steady_clock;
  const ProcessLimits& limits_;
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(3);
  bool shown_ = false;
};

}  // namespace workbook::cli
