// Moving about in a picture, the same in every panel: the wheel or W and S go closer and further, the right
// button or A and D pan, a double click or F fits.
#pragma once

#include "widgets/draw.h"

namespace workbook::viewer {

class Zoom {
 public:
  /// Reads mouse and keys for a picture drawn in `area`. `most`: how much closer than the fit one may go.
  void update(const Style& style, const Rect& area, float most);
  void fit() { *this = Zoom(); }
  /// Until something was moved: so close, with the middle of the upper edge in sight. S goes back to all of
  /// it.
  void open_closer(const Rect& area, float factor);

  float factor() const { return factor_; }  ///< 1: the picture fits
  /// Where a point of the fitted picture is now.
  ImVec2 to_screen(const Rect& area, ImVec2 fitted) const {
    return area.min + (fitted - area.min) * factor_ + shift_;
  }
  /// The other way round.
  ImVec2 to_fitted(const Rect& area, ImVec2 screen) const {
    return area.min + (screen - area.min - shift_) * (1.0f / factor_);
  }

 private:
  void zoom_at(const Rect& area, ImVec2 at, float by, float most);

  float factor_ = 1.0f;
  ImVec2 shift_{0, 0};  ///< pixels
  bool opened_ = false;
};

}  // namespace workbook::viewer
