// Two runs as ribbons of launches on one time scale, with the tensors that travel through DRAM between them.
#pragma once

#include "model/compare.h"
#include "widgets/draw.h"
#include "widgets/kernel_colours.h"

namespace workbook::viewer {

float ribbons_height(const Side& a, const Side& b, float width, const Style& style);
/// Draws from the cursor, `width` wide; returns the launch that was clicked as side (0 or 1) and number, or
/// -1.
struct RibbonClick {
  int side = -1, launch = -1;
};
RibbonClick draw_ribbons(const Style& style, const Side& a, const Side& b, const KernelColours& colours,
                         float width);

}  // namespace workbook::viewer
