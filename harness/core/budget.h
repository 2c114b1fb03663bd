// What a variant spent on a case beside what it may spend.
#pragma once

#include <vector>

#include "backend.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// Those that it has.
std::vector<Bound> bounds_of(const Budget& budget);

/// One score for each bound of the budget. Empty where the launches were not counted (fast build, GPU).
std::vector<runs::Score> scores(const Budget& budget, const Workload& workload,
                                const std::vector<runs::LaunchRecord>& launches);

/// Where the first of the scores that are over their budget was spent, and what helps; empty where none is.
std::string waste_of(const std::vector<runs::Score>& scores, const std::vector<runs::LaunchRecord>& launches);

}  // namespace workbook::core
