// Cases that no learner has seen, for grading: the visible ones with other sizes and other values, drawn from
// a seed, so that whoever is graded with it gets the same.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "workbook/puzzle.h"

namespace workbook::core {

/// Called as runs::is_fresh() knows them.
struct FreshCases {
  std::deque<std::string> names;  ///< that the cases look at
  std::vector<Case> cases;
};

/// One for each of `seen`, with the same fills. A size of 1 stays that or becomes the least other one that
/// the task is checked at; all others stay between that and the greatest, and keep the divisor that they have
/// in common. Beyond that the declaration says nothing of what a task allows, and a solution has to show that
/// it takes them.
FreshCases fresh_cases(const Task& task, std::span<const Case> seen, std::uint64_t seed);

}  // namespace workbook::core
