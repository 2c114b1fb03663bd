// What the simulator says about memory as a whole: where it was freed, what was never freed.
#pragma once

#include <cstdint>
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

/// A finding where the stack of some thread was full of calls of a function by itself. For the end of a
/// program.
void report_deep_stack(FindingLog& findings);

/// ": cub::DeviceRadixSort at line 12 may leave anything there, its result is in Current()", where a call
/// uses the array for that; else empty. Sets `advice`.
std::string left_as_scratch(const Allocation& a, std::string& advice);

/// ": cudaMemcpy at line 12 fills 100 of its 400 bytes", where nothing has written the byte at `offset`
/// because a call of the host filled no more than the array's beginning; ": cudaMemcpy at line 12 copied from
/// it as it was", where a call did; else empty. Sets `advice` where that number may be one of elements, or
/// the call's source its destination.
std::string partly_filled(const Allocation& a, std::uint64_t offset, std::string& advice);

/// Whether `bytes` of `all` may be the number of elements, for bytes: the size of one then, else 0.
std::size_t counted_element(std::size_t bytes, std::size_t all);

/// What lies at a word of memory, whoever's it is: the element, or with `whole` all that was allocated.
std::string object_at(std::uint64_t word, bool whole);

}  // namespace workbook::sim
