// Puts a loop without end into words.
#pragma once

#include <string>
#include <vector>

#include "launch_watch.h"

namespace workbook::sim {

/// A finding `infinite_loop` about the first of `loops`, at the loop's first line.
void report_endless_loops(const Launch& launch, const std::vector<EndlessLoop>& loops);

/// "mutex[0]", for the worker that ran the block; empty: unknown.
std::string name_what_is_read(const Worker& worker, std::uintptr_t address);

}  // namespace workbook::sim
