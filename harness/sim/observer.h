// What the engine tells the diagnosing side. In the fast build these do next to nothing.
#pragma once

#include <cstdint>

#include "engine.h"

namespace workbook::sim {

void observe_block_begin(Worker& worker);
void observe_block_end(Worker& worker);
void observe_barrier(Worker& worker);  ///< every live thread waits; called before they are released
void observe_stuck_warp(Worker& worker, std::uint32_t warp, std::uint32_t lanes, std::uint32_t mask);
void observe_bad_mask(Worker& worker, const SimThread& t, const char* what);
void observe_missing_source(Worker& worker, const SimThread& t, int source, bool named);

}  // namespace workbook::sim
