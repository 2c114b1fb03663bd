#include "model/grid.h"

#include <algorithm>
#include <cmath>

namespace workbook::viewer {
namespace {
// A warp a row; short vectors in rows of 16, which leaves the cells larger.
constexpr std::int64_t kWrap = 32, kShortWrap = 16, kShort = 64;
// A row is folded when it is this long, and as many times longer than there are rows.
constexpr std::int64_t kLong = 128, kMuchLonger = 8;

// Lines of whole warps, so many that the picture is about as wide as high.
void fold_long_rows(Grid& grid) {
  if (grid.columns < kLong || grid.columns < kMuchLonger * grid.rows) return;
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(grid.elements)));
  grid.folded = grid.columns;
  grid.columns = std::max<std::int64_t>(1, (side + kWrap - 1) / kWrap) * kWrap;
  grid.group_rows = (grid.folded + grid.columns - 1) / grid.columns;
  grid.rows *= grid.group_rows;
}
}  // namespace

Grid make_grid(const std::vector<std::int64_t>& shape, std::int64_t wrap) {
  Grid grid;
  grid.shape = shape.empty() ? std::vector<std::int64_t>{1} : shape;
  // More than four dimensions: the outermost ones become one.
  while (grid.shape.size() > 4) {
    grid.shape[1] *= grid.shape[0];
    grid.shape.erase(grid.shape.begin());
  }
  const auto& s = grid.shape;
  // Shapes come from files: one that is negative, or overflows, has no cells.
  grid.elements = 1;
  for (const std::int64_t extent : s)
    if (extent < 0 || __builtin_mul_overflow(grid.elements, extent, &grid.elements)) grid.elements = 0;
  if (grid.elements <= 0) {
    grid.elements = 0;
    return grid;
  }
  switch (s.size()) {
    case 1:
      grid.columns = std::min(s[0], wrap > 0 ? wrap : s[0] <= kShort ? kShortWrap : kWrap);
      grid.rows = grid.columns > 0 ? (s[0] + grid.columns - 1) / grid.columns : 0;
      break;
    case 2:
      grid.rows = s[0];
      grid.columns = s[1];
      fold_long_rows(grid);
      break;
    case 3:
      grid.rows = s[0] * s[1];
      grid.columns = s[2];
      grid.group_rows = s[1];
      fold_long_rows(grid);
      break;
    default:
      grid.rows = s[0] * s[2];
      grid.columns = s[1] * s[3];
      grid.group_rows = s[2];
      grid.group_columns = s[3];
  }
  grid.shape = shape.empty() ? grid.shape : shape;
  return grid;
}

std::optional<std::int64_t> Grid::element(std::int64_t row, std::int64_t column) const {
  if (row < 0 || column < 0 || row >= rows || column >= columns) return {};
  std::int64_t at = row * columns + column;
  if (folded > 0) {
    const std::int64_t along = row % group_rows * columns + column;
    if (along >= folded) return {};
    at = row / group_rows * folded + along;
  }
  if (group_columns > 0) {
    const std::int64_t plane_columns = columns / group_columns;
    const std::int64_t plane = (row / group_rows) * plane_columns + column / group_columns;
    at = (plane * group_rows + row % group_rows) * group_columns + column % group_columns;
  }
  if (at >= elements) return {};
  return at;
}

std::int64_t Grid::row_of(std::int64_t at) const {
  if (folded > 0) return at / folded * group_rows + at % folded / columns;
  if (group_columns == 0) return columns > 0 ? at / columns : 0;
  const std::int64_t plane = at / (group_rows * group_columns);
  return plane / (columns / group_columns) * group_rows + at / group_columns % group_rows;
}

std::int64_t Grid::column_of(std::int64_t at) const {
  if (folded > 0) return at % folded % columns;
  if (group_columns == 0) return columns > 0 ? at % columns : 0;
  const std::int64_t plane = at / (group_rows * group_columns);
  return plane % (columns / group_columns) * group_columns + at % group_columns;
}

std::string index_text(const std::vector<std::int64_t>& shape, std::int64_t element) {
  std::string text;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(1, shape[axis]);
    const std::int64_t here = axis == 0 ? element : element % extent;
    std::string piece = "[";
    piece += std::to_string(here);
    piece += "]";
    text.insert(0, piece);
    element /= extent;
  }
  return text;
}

}  // namespace workbook::viewer
