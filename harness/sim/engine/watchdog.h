// Interrupts threads that never give way, so that a spinning thread cannot keep from running the one that it
// waits for; and ends blocks in which nothing moves any more.
#pragma once

#include <chrono>

#include "engine.h"

namespace workbook::sim {

/// Registers the worker of the calling OS thread.
void watch(Worker& worker);
void unwatch(Worker& worker);

/// How long a block of the fast build, which counts no steps, may run without a thread exiting, passing a
/// barrier or completing a warp operation, on a processor that makes a multiplication and an addition a
/// nanosecond; a slower or busier one has as much longer as that takes it. 0 (as it is at first): for ever.
/// Past it a finding `infinite_loop` names the line and the launch ends with cudaErrorLaunchTimeout. The
/// diagnosing build has limits of work: loop_watch.h.
void set_stuck_limit(std::chrono::milliseconds limit);

/// What the harness sets: far more than a block of any puzzle takes.
inline constexpr std::chrono::seconds kStuckLimit{20};

/// Of the fast build: reports the loop that the running thread is in and ends its block and launch.
[[noreturn]] void end_stuck_block(Worker& worker, Pc pc);

}  // namespace workbook::sim
