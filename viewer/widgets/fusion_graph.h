// A program or a plan as boxes and edges: operations, tensors in DRAM, kernels as frames around operations.
#pragma once

#include "model/fusion_layout.h"
#include "widgets/draw.h"
#include "widgets/zoom.h"

namespace workbook::viewer {

/// What the mouse points at; -1: nothing of that kind. At most one is set.
struct FusionHit {
  int box = -1, edge = -1, frame = -1;
};

/// Widths of labels, for the layout.
FusionTextWidth fusion_text_width(const Style& style);

/// Fits `picture` into `size`. What the mouse points at stands out.
FusionHit draw_fusion_graph(const Style& style, const FusionPicture& picture, ImVec2 size, Zoom& zoom);

}  // namespace workbook::viewer
