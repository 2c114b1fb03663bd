// What the engine tells the diagnosing side. In the fast build only clear_shared_memory() does anything.
#pragma once

#include <cstdint>

#include "sim/engine/engine.h"

namespace workbook::sim {

/// Shared memory starts undefined in every block: NaN.
void clear_shared_memory(const Launch& launch);
void observe_stuck_warp(Worker& worker, std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask);
void observe_bad_mask(Worker& worker, const SimThread& t, const char* what);
/// The running thread's shuffle has read a lane that took no part.
void observe_missing_source(Worker& worker, const SimThread& t, int source);
/// A kernel asked __activemask(), which says who happens to run together.
void observe_active_mask(Worker& worker, Pc pc);

}  // namespace workbook::sim
