// How launches are run and who hears of them; the simulator's own interface for the harness.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine.h"
#include "runs/record.h"

namespace workbook::sim {

struct FinishedLaunch {
  std::string kernel;
  runs::Dim3 grid, block;
  std::int64_t shared_bytes = 0;                 ///< static and dynamic, a block
  std::optional<runs::LaunchCounters> counters;  ///< of the diagnosing build
  std::optional<runs::ModelledTime> modelled;    ///< of library calls, which the counters cannot tell
  bool complete = true;          ///< false: it was ended, by its own fault or by a loop without end
  std::uint64_t most_steps = 0;  ///< diagnosing build: basic blocks passed by any one thread, about
  runs::SourceLine at = {};      ///< where the program launches it
  Pc called_at = 0;              ///< the same of library calls: the return address
  bool dependent = false;        ///< Launch::dependent
};

struct LaunchSettings {
  /// 0: every block runs. Else, in a diagnosing build, about as many blocks as make this many accesses run,
  /// spread over the grid, and the counters are scaled up.
  std::uint64_t sample_accesses = 0;
  /// Every block runs, and in a diagnosing build this share of a launch's blocks is checked and counted; at
  /// least 32, and all where blocks run together (clusters, cooperative launches).
  double checked_share = 1.0;
  std::function<void(const FinishedLaunch&)> on_finished;
  /// A copy ("copy") or fill ("set") was carried out; bytes moved from and to device memory.
  std::function<void(const char* what, double bytes_read, double bytes_written)> on_moved;
  /// What a copy has brought from the device to the host.
  std::function<void(const void* start, std::size_t bytes)> on_fetched;
};

LaunchSettings& launch_settings();

/// Called while a launch runs: blocks that spin may wait for blocks that have not begun, so one of those is
/// begun on a thread of its own. False when there is none, or no room for one.
bool more_workers();

/// Called while a launch runs: no further block of it is begun, and its error is this one.
void abort_launch(cudaError_t error);
bool launch_is_aborted();

/// The text of the last launch error, with the numbers that broke the limit: "3072 threads a block ...".
const std::string& last_launch_error();

}  // namespace workbook::sim
