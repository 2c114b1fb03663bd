// How right and wrong elements look, told apart by colour and by mark.
#pragma once

#include <string>

#include "model/error_map.h"
#include "widgets/draw.h"

namespace workbook::viewer {

ImU32 error_fill(const Theme& theme, const ErrorCell& cell);
/// Over the fill: the value where there is room, a cross on what is wrong, NaN or ? on what is none, lines on
/// what was never written.
void draw_error_mark(const Style& style, const ErrorCell& cell, const Rect& box, float got);
/// The states that occur in `map`, from the cursor, and `hint` behind them.
void draw_error_legend(const Style& style, const ErrorMap& map, const std::string& hint);

}  // namespace workbook::viewer
