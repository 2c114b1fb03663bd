// Copies that go the wrong way: over what a kernel has computed, which nobody has read, with data that nobody
// reads either, as where source and destination are exchanged.
#pragma once

#include <cstddef>

#include "findings.h"
#include "sim/engine/arena.h"

namespace workbook::sim {

/// A call copies so many bytes to the beginning of it; before it counts as written.
void note_overwriting(Allocation& to, const char* call, Pc at, std::size_t bytes);

/// It is freed, or the program ends.
void report_unread_copy(const Allocation& a, FindingLog& findings);
void report_unread_copies(FindingLog& findings);

}  // namespace workbook::sim
