// What the program's text says of what a launch has done: source/source_idioms.h.
#pragma once

#include "scene.h"

namespace workbook::sim {

/// What the running thread does by an atomic: it compares and swaps; it orders two ints that are below 0. Its
/// text is read when the launch has ended: that takes more of a stack than a thread has.
enum class Idiom { compares, orders_below_zero };
void note_idiom(const Scene& scene, Idiom idiom, Pc pc);

/// A launch has ended, and made the accesses of `counts`.
void see_idioms(const Launch& launch, const runs::LaunchCounters& counts);

}  // namespace workbook::sim
