#include "panels/puzzles.h"

namespace workbook::viewer {

void PuzzlesPanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
