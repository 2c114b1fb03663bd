// Time against size for the variants of a sweep, with the sizes at which they change places.
#pragma once

#include "runs/sweep.h"
#include "widgets/draw.h"

namespace workbook::viewer {

void draw_crossover(const Style& style, const runs::Sweep& sweep, ImVec2 size);

}  // namespace workbook::viewer
