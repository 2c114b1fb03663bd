// The way of the bytes from DRAM to the registers and shared memory, run A above run B.
#pragma once

#include "model/traffic.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// Draws from the cursor. A run without a name is left out. The bands of a hop share a scale: the
/// thicker one moves more.
void draw_traffic_flow(const Style& style, const Traffic& a, const Traffic& b, const std::string& name_a,
                       const std::string& name_b, ImVec2 size);

}  // namespace workbook::viewer
