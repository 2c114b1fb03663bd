// A run as the viewer holds it in memory.
#pragma once

#include <optional>

#include "model/access.h"
#include "runs/record.h"
#include "runs/trace.h"

namespace workbook::viewer {

/// With everything the panels need of it.
struct LoadedRun {
  runs::RunRecord record;
  std::optional<runs::Trace> trace;
  AccessIndex accesses;  ///< of the teaching shape; empty without a trace
};

}  // namespace workbook::viewer
