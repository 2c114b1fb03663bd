// A tensor as a grid of coloured cells, with numbers in them where there is room.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layer.h"
#include "model/layout.h"
#include "widgets/grid_canvas.h"
#include "widgets/scale.h"

namespace workbook::viewer {

/// One tensor, or one block's shared tile, ready to draw.
struct TensorPicture {
  Place place;
  std::string title, note;  ///< "normalized [4,4,8]", "written here"
  Grid grid;
  std::shared_ptr<const Layer> layer;  ///< none while it is being made
  CellPalette palette;
  int owner_count = 1;         ///< how many blocks, warps or threads there could be
  bool starts_column = false;  ///< set apart from what stands before it
  std::vector<Cell> focus;     ///< cells of the thread that is singled out
  bool focused = false;        ///< a thread is singled out: other cells step back
};

/// Height of the two title lines above a grid.
float picture_title_height();
/// Title and note above a grid whose cells begin at `origin`; they stay in sight while some of it is.
void draw_picture_title(const Style& style, const std::string& title, const std::string& note,
                        const GridCanvas& canvas, const Rect& clip);

/// All pictures in columns, and the largest cells at which they fit `room`.
struct PictureLayout {
  float cell = 1.0f;         ///< the smaller of the two
  float shared_cell = 1.0f;  ///< of the tiles of a block, which are a grid of their own
  float global_cell = 1.0f;
  Packing places;
  float cell_of(bool shared) const { return shared ? shared_cell : global_cell; }
};
/// What the layout needs to know of a picture.
struct PictureOutline {
  const Grid* grid;
  std::string title, note;
  bool starts_column = false, shared = false;
};
PictureLayout arrange_pictures(const Style& style, const std::vector<PictureOutline>& pictures, ImVec2 room,
                               float largest);

/// Draws the cells that lie in `clip`. Returns how many cells it looked at.
std::int64_t draw_picture(const Style& style, const TensorPicture& picture, const GridCanvas& canvas,
                          const Rect& clip);
/// A frame around one element.
void frame_cell(const GridCanvas& canvas, std::int64_t element, ImU32 colour);

}  // namespace workbook::viewer
