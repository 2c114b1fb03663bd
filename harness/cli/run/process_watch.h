// Looks at a running process and says whether it has had enough; for those who supervise one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "cli/run/process.h"

namespace workbook::cli {

/// Whether all processes that are watched now together hold more memory than the limits allow, and this one
/// most of it.
bool out_of_memory(pid_t process, const ProcessLimits& limits);
/// After the last call of out_of_memory() for a process.
void no_longer_watched(pid_t process);

/// The limit of time of one process that starts now.
class TimeWatch {
 public:
  explicit TimeWatch(const ProcessLimits& limits);
  /// Whether it is reached: of the clock, and of the processor where the machine is busy with others.
  bool is_over(pid_t process);

 private:
  using Clock = std::chrono::steady_clock;
  const ProcessLimits& limits_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point since_ = start_;          ///< the latest progress
  std::chrono::milliseconds used_before_{0};  ///< processor time until then
  std::uint64_t seen_ = 0;
};

}  // namespace workbook::cli
