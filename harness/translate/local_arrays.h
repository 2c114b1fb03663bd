// Arrays of a thread's own that device code hands on by their address: the compiler checks no index there.
#pragma once

#include "cuda_tokens.h"
#include "edits.h"
#include "execution_space.h"

namespace workbook::sim {

/// In the bodies of functions that may run on the device: `float c[4];` as `WORKBOOK_SIM_FENCE float c[4]
/// WORKBOOK_SIM_FENCED(c);`, and with a value in braces as `WORKBOOK_SIM_FENCE float c[4]
/// WORKBOOK_SIM_FENCED_AS(c) {1} WORKBOOK_SIM_FENCED_END(c);` (workbook_sim/red_zones.h), where `c` is used
/// behind that other than by an index for each of its dimensions. What is not understood stays as it is, and
/// so does what a jump may pass by.
void fence_local_arrays(const Tokens& tokens, const DeviceWords& words, Edits& edits);

}  // namespace workbook::sim
