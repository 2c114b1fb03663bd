// Two stacked bars, A and B, on one axis: time by kernel, or bytes by role.
#pragma once

#include <string>
#include <vector>

#include "model/compare.h"
#include "widgets/ribbons.h"

namespace workbook::viewer {

struct BarPart {
  std::string name;
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< the whisker; equal: none
  ImU32 colour = 0;
};

struct Bar {
  const char* letter;
  std::string name;
  std::vector<BarPart> parts;
  double total = 0.0, low = 0.0, high = 0.0;
  bool hatched = false;  ///< modelled, not measured
};

Bar time_bar(const Style& style, const Side& side, const KernelColours& colours, const char* letter,
             const std::string& name);
Bar traffic_bar(const Style& style, const Side& side, const char* letter, const std::string& name);

/// `format` writes values of the axis and of the parts.
void draw_bars(const Style& style, const char* id, const std::vector<Bar>& bars,
               std::string (*format)(double), ImVec2 size);

}  // namespace workbook::viewer
