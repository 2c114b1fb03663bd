#include "panels/errors.h"

namespace workbook::viewer {

void ErrorsPanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
