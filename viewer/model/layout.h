// Placing labels and boxes on a line so that none overlaps another.
#pragma once

#include <vector>

namespace workbook::viewer {

struct Span {
  double centre = 0.0;  ///< where it would like to be
  double width = 0.0;
};

/// Left edges for `spans`, in their order, at least `gap` apart and inside [low, high] where they fit;
/// each as near its wish as its neighbours allow. Spans too wide together start at `low` and overflow.
std::vector<double> spread(const std::vector<Span>& spans, double gap, double low, double high);

struct Extent {
  double width = 0.0, height = 0.0;
};
struct Packing {
  std::vector<double> x, y;  ///< top left corners
  double width = 0.0, height = 0.0;
};

/// Boxes in columns: each under the one before while `height` lasts, else on top of the next column. A box
/// whose `breaks` entry is true starts a column of its own.
Packing pack_columns(const std::vector<Extent>& boxes, const std::vector<bool>& breaks, double height,
                     double gap_x, double gap_y);

/// Round steps for an axis from 0 to `high` with at most `most` intervals: 1, 2 or 5 times a power of ten.
double tick_step(double high, int most);

}  // namespace workbook::viewer
