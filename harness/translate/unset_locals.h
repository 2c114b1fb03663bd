// Variables of device code that are declared without a value. What they hold until they get one is the
// simulator's choice (workbook_sim/unset.h), so that it can tell what depends on it.
#pragma once

#include "cuda_tokens.h"
#include "edits.h"
#include "execution_space.h"

namespace workbook::sim {

/// In the bodies of functions that may run on the device: `float sum;` as `float sum; WORKBOOK_SIM_UNSET(sum,
/// 0);`, the variables of a line counted. What is shared, static, constant or initialised stays as it is, and
/// so does what is not understood.
void mark_unset_locals(const Tokens& tokens, const DeviceWords& words, Edits& edits);

/// In constructors that may run on the device, and whose bodies stand in their class: members that neither
/// their declaration nor the constructor's list gives a value, likewise, by the lines that declare them.
void mark_unset_members(const Tokens& tokens, const DeviceWords& words, Edits& edits);

}  // namespace workbook::sim
