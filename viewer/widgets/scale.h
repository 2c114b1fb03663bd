// Colours for numbers: owners as categories, counts and values on a sequential scale, errors on a diverging
// one. Colour-blind safe; legends carry the numbers.
#pragma once

#include <string>
#include <vector>

#include "model/layer.h"
#include "widgets/draw.h"

namespace workbook::viewer {

class CellPalette {
 public:
  CellPalette() = default;
  /// For owners: `count` categories, `columns` of them to a row of their map.
  static CellPalette owners(const Theme& theme, int count, int columns);
  /// From `low` to `high`; `diverging`: symmetric about 0.
  static CellPalette scale(const Theme& theme, double low, double high, bool diverging);

  ImU32 of(float number) const;
  bool is_scale() const { return scale_; }
  bool diverging() const { return diverging_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::vector<ImU32> colours_;
  bool scale_ = false, diverging_ = false;
  double low_ = 0.0, high_ = 1.0;
};

/// A bar from low to high with words or numbers at its ends; returns the width used.
float draw_scale_legend(const Style& style, const CellPalette& palette, ImVec2 at, float width,
                        const std::string& low, const std::string& high);
/// A value in a few characters: "0.25", "-3", "1e+4".
std::string short_number(double value);

}  // namespace workbook::viewer
