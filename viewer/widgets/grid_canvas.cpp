#include "widgets/grid_canvas.h"

#include <algorithm>
#include <cmath>

namespace workbook::viewer {

float smallest_cell() { return std::max(2.5f, px(2.5f)); }

float GridCanvas::along(std::int64_t cells, std::int64_t all, std::int64_t group) const {
  // After the last cell there is no gap.
  const std::int64_t gaps = group > 0 ? std::min(cells, all - 1) / group : 0;
  return static_cast<float>(cells) * cell + static_cast<float>(gaps) * gap();
}

std::pair<std::int64_t, std::int64_t> GridCanvas::between(float low, float high, std::int64_t all,
                                                          std::int64_t group) const {
  const auto index = [&](float at) {
    if (group <= 0) return static_cast<std::int64_t>(std::floor(at / cell));
    const float stride = static_cast<float>(group) * cell + gap();
    const auto whole = static_cast<std::int64_t>(std::floor(at / stride));
    const float rest = at - static_cast<float>(whole) * stride;
    return whole * group + std::min(group - 1, static_cast<std::int64_t>(std::floor(rest / cell)));
  };
  return {std::clamp<std::int64_t>(index(low), 0, all), std::clamp<std::int64_t>(index(high) + 1, 0, all)};
}

std::int64_t GridCanvas::element_at(ImVec2 at) const {
  const std::int64_t row = rows_in(at.y, at.y).first, column = columns_in(at.x, at.x).first;
  if (row >= grid->rows || column >= grid->columns || !box(row, column).contains(at)) return -1;
  return grid->element(row, column).value_or(-1);
}

}  // namespace workbook::viewer
