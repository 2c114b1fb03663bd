// Inline PTX: what the simulator knows becomes a call, the rest an error.
#pragma once

#include <cstddef>

#include "cuda_tokens.h"
#include "edits.h"

namespace workbook::sim {

/// Whether token `i` begins an asm statement or names a symbol.
bool is_asm(const Tokens& t, std::size_t i);

/// `asm("mma.sync....;" : "=f"(d0) ... : "r"(a0) ...)` becomes a call of the function of the instruction's
/// name in workbook_sim/ptx.h, where that is one instruction which there is. Any other PTX becomes a call
/// that the compiler refuses where it would have to make code of it, so that PTX in branches that are never
/// compiled for this architecture stays. Empty barriers and instructions of the host are left alone.
void rewrite_asm(const Tokens& t, std::size_t i, Edits& edits);

}  // namespace workbook::sim
