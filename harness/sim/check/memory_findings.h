// What the simulator says about memory as a whole: where it was freed, what was never freed.
#pragma once

#include <string>

#include "findings.h"
#include "sim/engine/arena.h"

namespace workbook::sim {

/// "freed at FILE:LINE", or "freed" where the line is not known.
std::string freed_where(const Allocation& freed);

/// Adds one finding of class `leak`, a warning, for each line whose cudaMalloc gave device or managed memory
/// that is not freed by now, with the number of such allocations and their bytes. For the end of a program;
/// nothing where the program ended because a kernel's fault was told to it.
void report_leaks(FindingLog& findings);

}  // namespace workbook::sim
