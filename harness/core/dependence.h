// Which inputs a wrong element depends on and should not, or should depend on and does not. What can reach it
// is seen in the trace (flow.h), what it is made of is asked of the puzzle's reference, and what is told has
// been tried: the kernel ran again with other values there. For what no known mistake, pattern or
// supposition explains.
#pragma once

#include <string>

#include "backend.h"
#include "workbook/puzzle.h"

namespace workbook::core {

/// "out[0] should change when a[512] to a[599] do, and stays the same: no thread reads them." or "out[1]
/// changes when x[128] does, and should not.", of an element of the first tensor that is wrong; or nothing.
/// Nothing, too, where the case is so large that asking takes long.
std::string dependence_words(Backend& backend, const Task& task, const Variant& variant, void (*run)(Run&),
                             const Case& which);

}  // namespace workbook::core
