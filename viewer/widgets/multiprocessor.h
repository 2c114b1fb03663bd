// The picture of a multiprocessor, for the Occupancy panel.
#pragma once

#include <string>

#include "model/occupancy.h"
#include "widgets/theme.h"

namespace workbook::viewer {

/// Places for warps, in four quarters, with the number of the block that has each; below them a bar for each
/// thing that blocks take. `letter` and `name` are the run's.
void draw_multiprocessor(const Style& style, const Held& held, const char* letter, const std::string& name,
                         ImU32 colour, ImVec2 size);

}  // namespace workbook::viewer
