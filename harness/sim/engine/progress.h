// Tells whoever started the program that kernels get on, so that a limit of time holds for standing still
// only: a correct kernel is as long at it as the machine takes.
#pragma once

namespace workbook::sim {

/// Counts in the file of kProgressVariable. A thread exited, passed a barrier or made some thousand steps
/// since the last call. Costs an addition.
void note_progress();

}  // namespace workbook::sim
