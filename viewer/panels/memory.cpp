#include "panels/memory.h"

namespace workbook::viewer {

void MemoryPanel::draw(View& view) { draw_no_trace(view, nullptr); }

}  // namespace workbook::viewer
