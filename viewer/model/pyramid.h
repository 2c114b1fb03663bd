// Cells at every resolution: each level has half the rows and columns of the one below, so that a picture of
// any size draws about as many cells as the screen has room for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace workbook::viewer {

template <class Cell>
class Pyramid {
 public:
  struct Level {
    std::int64_t rows = 0, columns = 0;
    std::vector<Cell> cells;  // row-major
  };

  Pyramid() = default;
  Pyramid(std::int64_t rows, std::int64_t columns) {
    levels_.push_back({rows, columns, std::vector<Cell>(static_cast<std::size_t>(rows * columns))});
  }

  bool empty() const { return levels_.empty(); }
  int levels() const { return static_cast<int>(levels_.size()); }
  const Level& level(int number) const { return levels_[static_cast<std::size_t>(number)]; }
  const Cell& at(int number, std::int64_t row, std::int64_t column) const {
    const Level& from = level(number);
    return from.cells[static_cast<std::size_t>(row * from.columns + column)];
  }
  Cell& base(std::int64_t row, std::int64_t column) {
    return levels_[0].cells[static_cast<std::size_t>(row * levels_[0].columns + column)];
  }
  Cell& base(std::int64_t cell) { return levels_[0].cells[static_cast<std::size_t>(cell)]; }  ///< row-major

  /// Makes the coarser levels anew; `combine(into, from)` adds a cell to those that `into` stands for.
  template <class Combine>
  void build(const Combine& combine) {
    levels_.resize(1);
    while (levels_.back().rows * levels_.back().columns > kSmallest) {
      const Level& fine = levels_.back();
      Level coarse{(fine.rows + 1) / 2, (fine.columns + 1) / 2, {}};
      coarse.cells.resize(static_cast<std::size_t>(coarse.rows * coarse.columns));
      for (std::int64_t row = 0; row < fine.rows; ++row) {
        const Cell* from = &fine.cells[static_cast<std::size_t>(row * fine.columns)];
        Cell* into = &coarse.cells[static_cast<std::size_t>(row / 2 * coarse.columns)];
        for (std::int64_t column = 0; column < fine.columns; ++column)
          if (row % 2 == 0 && column % 2 == 0)
            into[column / 2] = from[column];
          else
            combine(into[column / 2], from[column]);
      }
      levels_.push_back(std::move(coarse));
    }
  }

  /// The finest level whose cells are at least `smallest` wide where one of the base is `cell` wide.
  int level_for(float cell, float smallest) const {
    int number = 0;
    for (; number + 1 < levels() && cell < smallest; ++number) cell *= 2;
    return number;
  }

 private:
  static constexpr std::int64_t kSmallest = 64;  // cells: no picture is reduced further
  std::vector<Level> levels_;
};

}  // namespace workbook::viewer
