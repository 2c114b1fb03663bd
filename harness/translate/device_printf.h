// printf() of device code: what it prints goes by the format, and the arguments that do not fit it are told
// of where the call is (workbook_sim/device_printf.h).
#pragma once

#include "cuda_tokens.h"
#include "edits.h"
#include "execution_space.h"

namespace workbook::sim {

/// In the bodies of functions that may run on the device: `printf(` and `std::printf(` as
/// `::workbook::sim::device_printf(`.
void rewrite_printf(const Tokens& tokens, const DeviceWords& words, Edits& edits);

}  // namespace workbook::sim
