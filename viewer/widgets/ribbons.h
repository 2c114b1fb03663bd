// Two runs as ribbons of launches on one time scale, with the tensors that travel through DRAM between them.
#pragma once

#include "model/compare.h"
#include "widgets/draw.h"

namespace workbook::viewer {

/// Kernels of both runs, each with its own hue in every chart.
class KernelColours {
 public:
  KernelColours() = default;
  KernelColours(const Side& a, const Side& b);
  void add(const std::string& kernel);
  ImU32 of(const Theme& theme, const std::string& kernel) const;

 private:
  std::vector<std::string> names_;
};

/// "layernorm_kernel" as "layernorm": every kernel's name ends so, and ribbons are narrow.
std::string short_kernel(const std::string& name);

float ribbons_height(const Side& a, const Side& b, float width, const View& view);
/// Draws from the cursor, `width` wide; returns the launch that was clicked as side (0 or 1) and number, or
/// -1.
struct RibbonClick {
  int side = -1, launch = -1;
};
RibbonClick draw_ribbons(const View& view, const Side& a, const Side& b, const KernelColours& colours,
                         float width);

}  // namespace workbook::viewer
