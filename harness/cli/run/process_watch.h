// Looks at a running process and says whether it has had enough; for those who supervise one.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "cli/run/process.h"

namespace workbook::cli {

/// Whether all processes that are watched now together hold more memory than the limits allow, and this one
/// most of it.
bool out_of_memory(pid_t process, const ProcessLimits& limits);
/// After the last call of out_of_memory() for a process.
void no_longer_watched(pid_t process);

/// Whether the limit is reached: of the clock, and of the processor where the machine is busy with others.
bool out_of_time(pid_t process, const ProcessLimits& limits, std::chrono::steady_clock::time_point start);

}  // namespace workbook::cli
