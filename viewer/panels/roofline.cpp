#include "panels/roofline.h"

namespace workbook::viewer {

void RooflinePanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
