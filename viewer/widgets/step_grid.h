// The cells of a block at one point of its way: what is read and written now stands out, what was touched
// before stays visible.
#pragma once

#include "model/step_cells.h"
#include "widgets/grid_canvas.h"

namespace workbook::viewer {

ImU32 read_colour(const Theme& theme);
ImU32 write_colour(const Theme& theme);
/// `singled_out`: a thread or warp is, and others' cells step back.
void draw_step_picture(const Style& style, const StepPicture& picture, const GridCanvas& canvas,
                       const Rect& clip, bool singled_out);
/// What the marks mean, in one line of at most `width`.
void draw_step_legend(const Style& style, ImVec2 at, float width, bool singled_out);

}  // namespace workbook::viewer
