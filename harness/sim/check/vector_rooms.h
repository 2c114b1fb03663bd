// Algorithms of Thrust's that store behind the end of a vector, into the room that it has reserved.
#pragma once

#include "scene.h"

namespace workbook::sim {

/// A launch begins.
void note_vector_rooms();
/// It has ended. `caller`: a return address on the stack of the host, outside of the engine's own calls.
void see_vector_rooms(const Launch& launch, Pc caller);

}  // namespace workbook::sim
