// Findings about operations in kernels whose result neither C++ nor PTX defines.
#pragma once

#include <cstdint>

#include "scene.h"

namespace workbook::sim {

/// A shift of a number of so many bits by `count`, which leaves `left`: told of an int's 1, where one of 64
/// bits may have been meant.
void report_shift(const Scene& scene, std::int64_t count, unsigned int bits, std::int64_t left, Pc pc);
/// memcpy() in a kernel between ranges that begin `distance` bytes apart, fewer than it copies.
void report_overlap(const Scene& scene, std::uint64_t distance, std::uint64_t bytes, Pc pc);
/// Inline PTX reads its operand of that number, which the asm statement gives it for a result alone.
void report_output_read(const Scene& scene, unsigned int operand, Pc pc);

}  // namespace workbook::sim
