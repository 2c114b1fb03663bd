// Memory for the report of a program whose heap is in disorder, or locked by whoever found that out.
#pragma once

namespace workbook::sim {

/// From here on malloc() and its kin, for the whole process, take new memory from the system, and free() does
/// nothing. For programs that link it by the names below (cli/compile/simulator_toolchain.cpp); without
/// effect in others.
void begin_emergency();

}  // namespace workbook::sim
