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

/// Whether a thread's access to element `index` lies outside of an array of `extents`, outermost first, only
/// because the last blocks have threads to spare: a few elements out, and at the element that belongs to a
/// thread of its number, or beside it.
bool ragged_end(std::int64_t index, const std::vector<std::int64_t>& extents, const runs::ThreadId& who,
                const runs::Dim3& grid, const runs::Dim3& block);
/// For all accesses out of bounds at one line.
std::string overrun_advice(const Overrun& overrun);

/// For two threads at two lines, and where these are known.
std::string race_advice(bool same_warp, bool same_block, const runs::SourceLine& at,
                        const runs::SourceLine& other);
/// For threads that meet at one line, where no barrier can stand between them.
std::string one_line_race_advice(bool one_reads);

}  // namespace workbook::sim
