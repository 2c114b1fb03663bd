// Finds out whether wrong elements were computed with a thread's place in its block in the place of an index.
// For diagnose.cpp.
#pragma once

#include <string>

#include "evidence.h"

namespace workbook::core {

/// "each wrong element is a[r][c] + 1/16 * threadIdx.x - 1/16 * r, where a[r][c] + 1/16 * c - 1/16 * r is
/// right: threadIdx counts within its block.", where what is right is a sum of own elements of inputs and of
/// indices; else nothing.
std::string is_of_thread_place(const Evidence& evidence);

}  // namespace workbook::core
