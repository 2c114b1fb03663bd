// Looks for what wrong elements hold among what the others should hold: a value that was computed rightly and
// stands in the wrong place. For diagnose.cpp.
#pragma once

#include <string>

#include "evidence.h"

namespace workbook::core {

/// "each wrong element holds the value of another place: y[r][c] that of y[c][r].", where one rule holds for
/// them all, or for three quarters and it says of how many; else nothing. Rules: a sum of multiples of the
/// indices (shifts, strides, reversed, transposed, a pitch of another matrix), and the place in a block, a
/// warp or a row. A rule that values could follow by accident, being few or alike, is none.
std::string is_moved(const Evidence& evidence);

}  // namespace workbook::core
