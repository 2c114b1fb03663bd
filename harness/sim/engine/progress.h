// Tells whoever started the program that kernels get on, so that a limit of time holds for standing still
// only: a correct kernel is as long at it as the machine takes.
#pragma once

#include <cstdint>

namespace workbook::sim {

/// A launch of so many blocks begins, or with 0 none runs any more. For whoever shows it while it lasts.
void note_launch(const char* kernel, std::uint64_t blocks);
void note_block_ended();

/// Adds to the count in the file of kProgressVariable, in basic blocks of kernels: those that a thread of the
/// diagnosing build passed; kLaunchWork for a launch; 1 where blocks of the fast build got on. Costs an
/// addition.
void note_progress(std::uint64_t steps);
inline constexpr std::uint64_t kLaunchWork = 4096;

}  // namespace workbook::sim
