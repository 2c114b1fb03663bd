// When two findings are one, for the simulator's log of a launch and for the cases of a phase (phases are
// other builds, which need not see both sides of a race: harness/cli/run/verdict.cpp), and which ones end a
// kernel.
#pragma once

#include <vector>

#include "runs/record.h"

namespace workbook::runs {

/// One class, at one line, and with the same line of another thread or call where they name one.
bool same_place(const Finding& a, const Finding& b);

/// Adds a finding of the case `finding.on_case`, unless one of the same place is known. Of the two the one
/// that tells more stays: an error rather than advice, then the race that reaches further. Its count is that
/// of its own case.
void add_finding(std::vector<Finding>& all, Finding finding);

/// The kernel came to no end of its own: what it has not stored tells nothing more.
inline bool ended_kernel(const Finding& finding) {
  return finding.fatal || finding.klass == FindingClass::infinite_loop || is_of_phases(finding.klass);
}

}  // namespace workbook::runs
