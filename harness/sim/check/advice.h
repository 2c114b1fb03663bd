// Findings of severity advice: lines that are correct and cost far more than they need to. And what to try
// against races.
#pragma once

#include <string>

#include "findings.h"
#include "runs/record.h"

namespace workbook::sim {

/// Adds `uncoalesced` and `bank_conflict` for the lines of a launch where it matters: much of the launch's
/// traffic, and clearly off the ideal. Small launches get none.
void advise(const runs::LaunchCounters& counters, FindingLog& findings);

/// For two threads at two lines.
std::string race_advice(bool same_warp, bool same_block);
/// For threads that meet at one line, where no barrier can stand between them.
std::string one_line_race_advice(bool one_reads);

}  // namespace workbook::sim
