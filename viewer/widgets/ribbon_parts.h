// What the parts of the ribbons share: a lane is one run, its launches above the DRAM they pass tensors
// through.
#pragma once

#include "model/compare.h"
#include "widgets/draw.h"
#include "widgets/kernel_colours.h"

namespace workbook::viewer {

struct RibbonLane {
  const Side& side;
  const Side& other;
  const char* letter;
  ImU32 badge_colour;
  bool is_b;
};

inline constexpr float kBar = 46;  ///< height of a launch

/// Whether neighbouring launches lie at least `apart` pixels from each other, at `scale` pixels a
/// microsecond.
bool is_spaced(const Side& side, float scale, float apart);

float wires_height(const Side& side);
float shelf_height(const Side& side);
/// The tensors between launches, with arrows from and to the bar whose corner is `bar`; the shelf itself
/// starts at `at`.
void draw_shelf(const Style& style, const RibbonLane& lane, const KernelColours& colours, ImVec2 bar,
                ImVec2 at, float width, float scale);

}  // namespace workbook::viewer
