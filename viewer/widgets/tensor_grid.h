// A tensor as a grid of coloured cells, with numbers in them where there is room.
#pragma once

#include <string>
#include <vector>

#include "model/access.h"
#include "model/layout.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// One tensor, or one block's shared tile, ready to draw.
struct TensorPicture {
  Place place;
  std::string title, note;  ///< "normalized [4,4,8]", "written here"
  Grid grid;
  std::vector<Owner> owners;   ///< one an element
  int owner_count = 1;         ///< how many blocks, warps or threads there could be
  int owner_columns = 1;       ///< of these, in a row of their map
  bool starts_column = false;  ///< set apart from what stands before it
  std::vector<Cell> focus;     ///< cells of the thread that is singled out
  bool focused = false;        ///< a thread is singled out: other cells step back
  std::vector<Owner> reduced;  ///< of a large grid, kept from the last frame
  std::int64_t reduced_by = 0;
};

/// Height of the title line above a grid.
float picture_title_height();
/// Extent at `cell` pixels a cell, title included.
ImVec2 picture_extent(const View& view, const TensorPicture& picture, float cell);
/// All pictures in columns, and the largest cell at which they fit `room`; below two pixels when not even
/// the smallest fits, and then squares stand for several elements.
struct PictureLayout {
  float cell = 1.0f;
  Packing places;
};
PictureLayout arrange_pictures(const View& view, const std::vector<TensorPicture>& pictures, ImVec2 room,
                               float largest);

struct CellHit {
  std::int64_t hovered = -1;
  bool clicked = false;
};
/// Draws at the cursor; `selected` is the element with the frame, -1 for none.
CellHit draw_picture(const View& view, TensorPicture& picture, float cell, std::int64_t selected);

}  // namespace workbook::viewer
