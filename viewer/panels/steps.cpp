#include "panels/steps.h"

namespace workbook::viewer {

void StepsPanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
