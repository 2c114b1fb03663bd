// Arithmetic of device code whose result on this machine is not what a GPU has: shifts by the width of the
// type and more, and casts of floating-point numbers that an integer cannot hold. What the compiler converts
// without a cast stays as it is.
#pragma once

#include "cuda_tokens.h"
#include "edits.h"
#include "execution_space.h"

namespace workbook::sim {

/// In the bodies of functions that may run on the device: `x << n` as `x << ::workbook::sim::by * n`, which
/// binds as it should whatever n is, and `(int)x` as `::workbook::sim::to<int>(x)`
/// (workbook_sim/arithmetic.h).
void rewrite_arithmetic(const Tokens& tokens, const DeviceWords& words, Edits& edits);

}  // namespace workbook::sim
