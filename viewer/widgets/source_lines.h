// The lines of a source file with a gutter of figures, findings under their lines, and marks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/source_page.h"
#include "widgets/draw.h"

namespace workbook::viewer {

struct SourceMarks {
  int chosen = 0;           ///< the line that is selected; 0: none
  std::set<int> touched;    ///< by the selected thread or on the selected cell
  std::set<int> found;      ///< by the search
  int found_here = 0;       ///< the one the search is at
  std::string found_words;  ///< framed in the lines
  int scroll_to = 0;        ///< bring this line into sight; 0: stay
};

struct LineHit {
  int hovered = 0, clicked = 0;  ///< lines; 0: none
};

/// Draws from the cursor into a child of `size` that scrolls both ways.
LineHit draw_source_lines(const Style& style, const SourcePage& page, const SourceMarks& marks, ImVec2 size);

}  // namespace workbook::viewer
