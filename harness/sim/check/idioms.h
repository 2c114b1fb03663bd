// What the program's text says of what a launch has done: source/source_idioms.h.
#pragma once

#include "scene.h"

namespace workbook::sim {

/// The running thread compares and swaps. Its text is read when the launch has ended: that takes more of a
/// stack than a thread has.
void note_compare(const Scene& scene, Pc pc);

/// A launch has ended, and made the accesses of `counts`.
void see_idioms(const Launch& launch, const runs::LaunchCounters& counts);

}  // namespace workbook::sim
