#include "panels/source.h"

namespace workbook::viewer {

void SourcePanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
