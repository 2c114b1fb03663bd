// What the cases of a run have found, told once.
#pragma once

#include <vector>

#include "runs/record.h"

namespace workbook::core {

/// Adds a finding of the case `finding.on_case`, unless an earlier case has found the same at these lines. Of
/// the two the one that tells more stays: an error rather than advice, then the race that reaches further.
/// Its count is that of its own case.
void add_finding(std::vector<runs::Finding>& all, runs::Finding finding);

}  // namespace workbook::core
