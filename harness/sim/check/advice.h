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
/// Whether a kernel of that name is an algorithm of CUB's or Thrust's.
bool is_of_library(const std::string& kernel);
/// For all accesses out of bounds at one line, of a kernel of that name.
std::string overrun_advice(const Overrun& overrun, const runs::SourceLine& at, const std::string& kernel);

/// What ends all of a race that has its reach and its lines.
std::string race_advice(const runs::Finding& race);

}  // namespace workbook::sim
