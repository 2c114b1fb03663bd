#include "model/grid.h"
#include "tests/catch.h"

using namespace workbook::viewer;

TEST_CASE("every element has one cell, in one to four dimensions, ragged or not") {
  for (const auto& shape : {std::vector<std::int64_t>{7},
                            {33},
                            {1000},
                            {3, 5},
                            {2, 3, 4},
                            {2, 3, 4, 5},
                            {2, 2, 2, 2, 2},
                            {},
                            {3, 300},
                            {1, 4096},
                            {2, 3, 1000}}) {
    const Grid grid = make_grid(shape);
    std::int64_t seen = 0;
    for (std::int64_t row = 0; row < grid.rows; ++row)
      for (std::int64_t column = 0; column < grid.columns; ++column)
        if (const auto element = grid.element(row, column)) {
          ++seen;
          CHECK(grid.row_of(*element) == row);
          CHECK(grid.column_of(*element) == column);
        }
    CHECK(seen == grid.elements);
    CHECK_FALSE(grid.element(grid.rows, 0).has_value());
    CHECK_FALSE(grid.element(0, -1).has_value());
  }
}

TEST_CASE("three dimensions are planes one above the other, four a table of planes") {
  const Grid three = make_grid({4, 4, 8});
  CHECK(three.rows == 16);
  CHECK(three.columns == 8);
  CHECK(three.row_gaps() == 3);
  const Grid four = make_grid({2, 3, 4, 5});
  CHECK(four.rows == 8);
  CHECK(four.columns == 15);
  CHECK(four.element(0, 5) == 20);  // plane [0][1]
  CHECK(four.element(4, 0) == 60);  // plane [1][0]
  CHECK(four.column_gaps() == 2);
}

TEST_CASE("a length can be laid in rows of a given width") {
  CHECK(make_grid({256}, 16).rows == 16);
  CHECK(make_grid({4, 8}, 16).columns == 8);
}

TEST_CASE("few long rows are folded, so that they are no hair line") {
  const Grid grid = make_grid({3, 300});
  CHECK(grid.columns == 32);
  CHECK(grid.rows == 30);
  CHECK(grid.row_gaps() == 2);
  CHECK(grid.element(9, 11) == 299);
  CHECK_FALSE(grid.element(9, 12).has_value());  // the first row ends here
  CHECK(grid.element(10, 0) == 300);
  CHECK(make_grid({64, 300}).columns == 300);  // high enough to be seen as it is
  CHECK(make_grid({8, 64}).columns == 64);
}

TEST_CASE("shapes that make no sense have no cells") {
  for (const auto& shape : {std::vector<std::int64_t>{0}, {-3, 4}, {1ll << 40, 1ll << 40}}) {
    CHECK(make_grid(shape).elements == 0);
    CHECK_FALSE(make_grid(shape).element(0, 0).has_value());
  }
}

TEST_CASE("an index is written as the program writes it") {
  CHECK(index_text({4, 4, 8}, 43) == "[1][1][3]");
  CHECK(index_text({16}, 5) == "[5]");
}
