// A warp's request as a picture: 32 lanes above, and below them the sectors or the banks that serve them.
#pragma once

#include "model/request.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// What the lanes reach into, for the words in the picture.
struct Served {
  std::string name;                 ///< of the tensor
  std::vector<std::int64_t> shape;  ///< of it
  std::int64_t element_bytes = 4;
  int warp = 0;
  int lane = -1;  ///< singled out; -1: none
  bool store = false;
};

struct LaneHit {
  int hovered = -1;
  bool clicked = false;
};

/// Both draw from the cursor and return the lane under the mouse.
LaneHit draw_fetch(const Style& style, const Request& request, const Fetch& fetch, const Served& served,
                   ImVec2 size);
LaneHit draw_banks(const Style& style, const Request& request, const Banks& banks, const Served& served,
                   ImVec2 size);

}  // namespace workbook::viewer
