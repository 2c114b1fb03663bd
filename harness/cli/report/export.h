// Runs in the formats of other tools.
#pragma once

#include <string>
#include <vector>

#include "runs/store.h"

namespace workbook::cli {

std::string runs_json(const std::vector<runs::StoredRun>& runs);     ///< a list of records, without traces
std::string launches_csv(const std::vector<runs::StoredRun>& runs);  ///< a line a launch
/// For chrome://tracing and Perfetto: a process a run, a thread a benchmark, its launches one after another.
std::string chrome_trace(const std::vector<runs::StoredRun>& runs);

}  // namespace workbook::cli
