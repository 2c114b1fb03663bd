// Arrays that a call of a library must not be given as one.
#pragma once

#include "sim/runtime/pointers.h"

namespace workbook::sim {

/// A finding where what the call writes lies in part where the operand `name` does, which is read at any time
/// while that is written.
void check_apart(const Call& call, const Range& written, const char* name, const Range& read);

}  // namespace workbook::sim
