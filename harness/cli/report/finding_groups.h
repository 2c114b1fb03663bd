// Findings by cause: one missing barrier is seen as races of several pairs of lines, and is told once.
#pragma once

#include <string>
#include <vector>

#include "runs/record.h"

namespace workbook::cli {

struct FindingGroup {
  const runs::Finding* first = nullptr;  ///< the one that is shown
  std::vector<const runs::Finding*> more;
};

/// By severity, the worst first, and in order of appearance. Races of a kernel are one cause when one barrier
/// could stand between the lines of each; what reads an array that such a race is about belongs to it;
/// other findings are one cause when class, kernel and array are the same. Accesses out of bounds are one
/// cause, too, when their advice is, together with races at such a line about such an array. Of races the one
/// that reaches furthest is shown. Points into `findings`.
std::vector<FindingGroup> groups_of(const std::vector<runs::Finding>& findings);

/// "tile" of "tile[3][5]".
std::string array_of(const runs::Finding& finding);

}  // namespace workbook::cli
