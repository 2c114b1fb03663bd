// Finds out whether the rows of a matrix were stored with another pitch than they have. For diagnose.cpp.
#pragma once

#include <string>

#include "evidence.h"

namespace workbook::core {

/// "the rows of c were stored 20 elements apart: c[r][c] stands at place 20 * r + c, counted row by row,
/// where 24 * r + c is right.", where that is what all stored elements hold and why the others were not; else
/// nothing.
std::string is_stored_apart(const Evidence& evidence);

}  // namespace workbook::core
