// Findings of severity advice: lines that are correct and cost far more than they need to.
#pragma once

#include "findings.h"
#include "runs/record.h"

namespace workbook::sim {

/// Adds `uncoalesced` and `bank_conflict` for the lines of a launch where it matters: much of the launch's
/// traffic, and clearly off the ideal. Small launches get none.
void advise(const runs::LaunchCounters& counters, FindingLog& findings);

}  // namespace workbook::sim
