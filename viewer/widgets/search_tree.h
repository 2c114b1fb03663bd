// How the search for equal graphs went: what was cut and why, depth by depth, and the tree of the last depth.
#pragma once

#include "runs/fusion.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// A bar for each depth: as long as the logarithm of what was tried, divided by what became of it.
void draw_search_depths(const Style& style, const runs::FusionRecord& record, ImVec2 size);
/// The height in pixels that it takes.
float search_depths_height(const runs::FusionRecord& record);

/// Every state a cell below its parent, as wide as what comes of it; dead ends have the letter and the colour
/// of the reason that cut most of what could have followed.
void draw_search_tree(const Style& style, const runs::FusionRecord& record, ImVec2 size);

/// The colour of a reason, by its place in the record.
ImU32 reason_colour(const Theme& theme, std::size_t reason);

}  // namespace workbook::viewer
