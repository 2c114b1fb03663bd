// A tensor of one to four dimensions as rows and columns of cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace workbook::viewer {

/// Row-major tensors laid flat: [n] as a row, wrapped at 16 or 32; [r,c] as it is; [a,r,c] as planes one
/// above the other; [a,b,r,c] as planes in a rows and b columns. A gap follows each group of rows or columns.
/// Few long rows, which would be a hair line, are folded: each is a group of lines.
struct Grid {
  std::vector<std::int64_t> shape;
  std::int64_t rows = 0, columns = 0;
  std::int64_t group_rows = 0, group_columns = 0;  ///< cells between gaps; 0: no gaps
  std::int64_t elements = 0;
  std::int64_t folded = 0;  ///< elements of a row that is folded into lines of `columns`; 0: rows are whole

  /// Element at a row and column; nothing past a ragged end.
  std::optional<std::int64_t> element(std::int64_t row, std::int64_t column) const;
  std::int64_t row_of(std::int64_t element) const;
  std::int64_t column_of(std::int64_t element) const;
  std::int64_t row_gaps() const { return group_rows > 0 ? (rows - 1) / group_rows : 0; }
  std::int64_t column_gaps() const { return group_columns > 0 ? (columns - 1) / group_columns : 0; }
};

/// `wrap`: columns of a one-dimensional tensor, where its length says less than its use; 0: as above.
Grid make_grid(const std::vector<std::int64_t>& shape, std::int64_t wrap = 0);

/// "[1][2][3]" for a linear element.
std::string index_text(const std::vector<std::int64_t>& shape, std::int64_t element);

}  // namespace workbook::viewer
