// A tensor as a grid of coloured cells, with numbers in them where there is room.
#pragma once

#include <string>
#include <vector>

#include "model/access.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// One tensor, or one block's shared tile, ready to draw.
struct TensorPicture {
  Place place;
  std::string title, note;      ///< "normalized [4,4,8]", "written here"
  Grid grid;
  std::vector<Owner> owners;    ///< one an element
  int owner_count = 1;          ///< how many blocks, warps or threads there could be
  std::vector<Cell> focus;      ///< cells of the thread that is singled out
  bool focused = false;         ///< a thread is singled out: other cells step back
};

/// Height of the title line above a grid.
float picture_title_height();
/// Extent at `cell` pixels a cell, title included.
ImVec2 picture_extent(const View& view, const TensorPicture& picture, float cell);
/// The largest cell at which all pictures fit `room` when set from left to right in rows; below a pixel
/// when not even the smallest fits, and then cells stand for several elements.
float fitting_cell(const View& view, const std::vector<TensorPicture>& pictures, ImVec2 room, float largest);

struct CellHit {
  std::int64_t hovered = -1;
  bool clicked = false;
};
/// Draws at the cursor; `selected` is the element with the frame, -1 for none.
CellHit draw_picture(const View& view, const TensorPicture& picture, float cell, std::int64_t selected);

inline constexpr float kPictureGap = 26.0f;  ///< between pictures in a row, and half of it between rows

}  // namespace workbook::viewer
