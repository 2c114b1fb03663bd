// Runs in the formats of other tools.
#pragma once

#include <string>
#include <vector>

#include "runs/store.h"

namespace workbook::cli {

std::string runs_json(const std::vector<runs::StoredRun>& runs);     ///< a list of records, without traces
std::string launches_csv(const std::vector<runs::StoredRun>& runs);  ///< a line a launch
/// For ui.perfetto.dev and chrome://tracing: a process a run. Of a program: a thread for each of the host's,
/// with NVTX's ranges and the calls, one for each stream, and arrows from launches to their work. Of other
/// puzzles: a thread a benchmark, its launches one after another.
std::string chrome_trace(const std::vector<runs::StoredRun>& runs);

}  // namespace workbook::cli
