// Where the cells of a grid lie on the screen, and the drawing of those that can be seen: about as many
// rectangles as the screen has room for, whatever the tensor's size.
#pragma once

#include <cstdint>
#include <utility>

#include "model/grid.h"
#include "model/pyramid.h"
#include "widgets/draw.h"

namespace workbook::viewer {

struct GridCanvas {
  const Grid* grid = nullptr;
  ImVec2 origin{0, 0};
  float cell = 1.0f;  ///< pixels, without the gaps between groups

  ImVec2 extent() const { return {x_of(grid->columns) - origin.x, y_of(grid->rows) - origin.y}; }
  float x_of(std::int64_t column) const {
    return origin.x + along(column, grid->columns, grid->group_columns);
  }
  float y_of(std::int64_t row) const { return origin.y + along(row, grid->rows, grid->group_rows); }
  Rect box(std::int64_t row, std::int64_t column) const {
    return {{x_of(column), y_of(row)}, {x_of(column) + cell, y_of(row) + cell}};
  }
  /// Cells that reach into a strip of the screen: [first, second).
  std::pair<std::int64_t, std::int64_t> columns_in(float low, float high) const {
    return between(low - origin.x, high - origin.x, grid->columns, grid->group_columns);
  }
  std::pair<std::int64_t, std::int64_t> rows_in(float low, float high) const {
    return between(low - origin.y, high - origin.y, grid->rows, grid->group_rows);
  }
  /// The element under a point of the screen; -1 in a gap and outside.
  std::int64_t element_at(ImVec2 at) const;

 private:
  float gap() const { return std::min(cell * 0.3f, px(8)); }
  float along(std::int64_t cells, std::int64_t all, std::int64_t group) const;
  std::pair<std::int64_t, std::int64_t> between(float low, float high, std::int64_t all,
                                                std::int64_t group) const;
};

/// Below this width cells are drawn several to a rectangle.
float smallest_cell();

/// Draws the part of `cells` inside `clip`. `fill(cell)` gives the colour, 0 for none. At the finest level
/// `extra(cell, box, row, column)` may add to each cell. Returns the number of cells looked at.
template <class Cell, class Fill, class Extra>
std::int64_t draw_cells(const GridCanvas& canvas, const Rect& clip, const Pyramid<Cell>& cells,
                        const Fill& fill, const Extra& extra) {
  if (cells.empty()) return 0;
  const int level = cells.level_for(canvas.cell, smallest_cell());
  const std::int64_t factor = std::int64_t{1} << level;
  const auto [top, bottom] = canvas.rows_in(clip.min.y, clip.max.y);
  const auto [left, right] = canvas.columns_in(clip.min.x, clip.max.x);
  if (top >= bottom || left >= right) return 0;
  const float side = canvas.cell * static_cast<float>(factor);
  const float inset = level > 0 ? 0.0f : canvas.cell >= 10 ? 1.0f : canvas.cell >= 5 ? 0.5f : 0.0f;
  const float rounding = canvas.cell >= 14 && level == 0 ? px(2) : 0.0f;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  std::int64_t looked_at = 0;
  const auto start_of = [&](std::int64_t column) {
    return canvas.x_of(std::min(column * factor, canvas.grid->columns));
  };
  for (std::int64_t row = top / factor; row * factor < bottom; ++row) {
    const float y = canvas.y_of(row * factor);
    const float below = level > 0 ? canvas.y_of(std::min((row + 1) * factor, canvas.grid->rows)) : y + side;
    // Neighbours of one colour are one rectangle where no gap divides them.
    ImU32 run_fill = 0;
    float run_from = 0, run_to = 0;
    const auto flush = [&] {
      if (run_fill != 0)
        draw->AddRectFilled({run_from + inset, y + inset}, {run_to - inset, below - inset}, run_fill,
                            rounding);
      run_fill = 0;
    };
    for (std::int64_t column = left / factor; column * factor < right; ++column) {
      const Cell& cell = cells.at(level, row, column);
      ++looked_at;
      const ImU32 colour = fill(cell);
      const float x = start_of(column), end = level > 0 ? start_of(column + 1) : x + side;
      const bool joins = inset == 0.0f && colour == run_fill && x - run_to < 0.01f;
      if (!joins) {
        flush();
        run_from = x;
        run_fill = colour;
      }
      run_to = end;
      if (level == 0) {
        if (inset > 0.0f) flush();
        extra(cell, Rect{{x + inset, y + inset}, {end - inset, below - inset}}, row, column);
      }
    }
    flush();
  }
  return looked_at;
}

}  // namespace workbook::viewer
